-- Searches by an item at random: ITEMS, COLLECTION in the environment.
local items = tonumber(os.getenv("ITEMS"))
local path = "/api/v1/collections/" .. os.getenv("COLLECTION") .. "/search?top=10&like="

function init()
  math.randomseed(os.time())
end

function request()
  return wrk.format("GET", path .. math.random(0, items - 1))
end
