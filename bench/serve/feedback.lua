-- Events with a key each: ITEMS, COLLECTION in the environment.
local items = tonumber(os.getenv("ITEMS"))
local path = "/api/v1/collections/" .. os.getenv("COLLECTION") .. "/feedback"
local headers = {["Content-Type"] = "application/json"}
local event = '{"query": %d, "good": [%d], "bad": [%d], "key": "%d-%d"}'
local count = 0

function init()
  math.randomseed(os.time())
  run = math.random(1e9)
end

function request()
  local query = math.random(0, items - 1)
  count = count + 1
  return wrk.format("POST", path, headers, event:format(
    query, (query + 1) % items, (query + 7) % items, run, count))
end
