#include "index/dense/hnsw_shim.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/* It looks at one link past the end of a list, to fetch ahead: its blocks get
 * room for one more. */
static void *roomy(size_t n)
{
    return malloc(n + sizeof(unsigned));
}

/* Its helpers are neither static nor in a namespace. */
#define cpuid ak_hnswlib_cpuid
#define xgetbv ak_hnswlib_xgetbv
#define AVXCapable ak_hnswlib_avx
#define AVX512Capable ak_hnswlib_avx512
#define malloc roomy
#include <hnswlib/hnswlib.h>
#undef malloc

namespace
{

class space : public hnswlib::SpaceInterface<float>
{
  public:
    space(int64_t dim, ak_hnsw_distance distance)
        : dim_(dim), distance_(distance)
    {
    }
    size_t get_data_size() override
    {
        return static_cast<size_t>(dim_) * sizeof(float);
    }
    hnswlib::DISTFUNC<float> get_dist_func() override
    {
        return distance_;
    }
    void *get_dist_func_param() override
    {
        return &dim_;
    }

  private:
    int64_t dim_;
    ak_hnsw_distance distance_;
};

using graph = hnswlib::HierarchicalNSW<float>;

/* Well mixed, so that the level of a row depends on its number alone. */
uint32_t mix(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return static_cast<uint32_t>((z ^ (z >> 31)) & 0x7fffffff);
}

using near = std::pair<float, hnswlib::tableint>;

/* The nearest row of all levels above the lowest, from one to its neighbours
 * as long as one of these is nearer. */
near descend(const graph &g, const float *vector)
{
    const auto distance = [&](hnswlib::tableint i) {
        return g.fstdistfunc_(vector, g.getDataByInternalId(i),
                              g.dist_func_param_);
    };
    near at(distance(g.enterpoint_node_), g.enterpoint_node_);
    for (int level = g.maxlevel_; level > 0; --level)
        for (bool nearer = true; nearer;) {
            const unsigned *list = g.get_linklist(at.second, level);
            const unsigned n = g.getListCount(const_cast<unsigned *>(list));
            nearer = false;
            for (unsigned k = 1; k <= n; ++k) {
                const near other(distance(list[k]), list[k]);
                if (other.first < at.first) {
                    at = other;
                    nearer = true;
                }
            }
        }
    return at;
}

/* A row that was met, and how far it is off. */
struct met {
    float gap;
    unsigned row;
};

enum : unsigned { DONE = 1U << 31 };  // of a row: its neighbours are known too
enum { FEW = 1024, LINE = 64 };

/* The neighbours of a row that were not met before; returns how many. */
size_t meet(const graph &g, unsigned row, hnswlib::VisitedList *seen,
            unsigned *fresh)
{
    const unsigned *list = g.get_linklist0(row);
    const size_t n = g.getListCount(const_cast<unsigned *>(list));
    size_t count = 0;
    for (size_t k = 1; k <= n; ++k) {
        fresh[count] = list[k];
        count += seen->mass[list[k]] != seen->curV;
        seen->mass[list[k]] = seen->curV;
    }
    return count;
}

void fetch(const graph &g, unsigned row)
{
    const char *at = g.getDataByInternalId(row);
    for (size_t k = 0; k < g.data_size_; k += LINE)
        __builtin_prefetch(at + k);
}

/* Among the nearest, which rise, unless they are enough and nearer; returns
 * its place, or how many there are. */
size_t put(std::vector<met> &best, size_t ef, met x)
{
    if (best.size() == ef) {
        if (!(x.gap < best.back().gap))
            return ef;
        best.pop_back();
    }
    const auto at = std::upper_bound(
        best.begin(), best.end(), x,
        [](const met &a, const met &b) { return a.gap < b.gap; });
    return static_cast<size_t>(best.insert(at, x) - best.begin());
}

/* The `ef` nearest on the lowest level: again and again the neighbours of the
 * nearest that is not done. One sorted list is quicker than two heaps as long
 * as it is short, and nothing must be left out of it that is walked through. */
void walk(const graph &g, near from, const float *vector, size_t ef,
          std::vector<met> &best)
{
    std::vector<unsigned> fresh(g.maxM0_ + 1);
    best.reserve(ef + 1);
    hnswlib::VisitedList *seen = g.visited_list_pool_->getFreeVisitedList();
    best.push_back({from.first, from.second});
    seen->mass[from.second] = seen->curV;
    for (size_t at = 0; at < best.size();) {
        const unsigned row = best[at].row;
        best[at].row |= DONE;
        const size_t n = meet(g, row, seen, fresh.data());
        for (size_t k = 0; k < n; ++k) {
            if (k + 1 < n)
                fetch(g, fresh[k + 1]);
            const float gap = g.fstdistfunc_(
                vector, g.getDataByInternalId(fresh[k]), g.dist_func_param_);
            at = std::min(at, put(best, ef, {gap, fresh[k]}));
        }
        while (at < best.size() && (best[at].row & DONE))
            ++at;
    }
    g.visited_list_pool_->releaseVisitedList(seen);
}

}  // namespace

struct ak_hnsw {
    space s;
    graph g;
    ak_hnsw(int64_t dim, int64_t room, int64_t links, int64_t effort,
            ak_hnsw_distance distance)
        : s(dim, distance),
          g(&s, static_cast<size_t>(room), static_cast<size_t>(links),
            static_cast<size_t>(effort))
    {
        g.ef_ = 1;  // a search brings its own
    }
};

extern "C" {

int ak_hnsw_new(ak_hnsw **out, int64_t dim, int64_t room, int64_t links,
                int64_t effort, ak_hnsw_distance distance)
{
    try {
        *out = new ak_hnsw(dim, room > 0 ? room : 1, links, effort, distance);
        return 0;
    } catch (...) {
        return 1;
    }
}

void ak_hnsw_free(ak_hnsw *h)
{
    delete h;
}

int ak_hnsw_grow(ak_hnsw *h, int64_t room)
{
    try {
        if (static_cast<size_t>(room) > h->g.max_elements_)
            h->g.resizeIndex(static_cast<size_t>(room));
        return 0;
    } catch (...) {
        return 1;
    }
}

int ak_hnsw_add(ak_hnsw *h, const float *vector)
{
    try {
        const size_t i = h->g.cur_element_count;
        h->g.level_generator_.seed(mix(i));
        h->g.addPoint(vector, i);
        return 0;
    } catch (...) {
        return 1;
    }
}

void ak_hnsw_remove(ak_hnsw *h, int64_t i)
{
    const auto at = static_cast<hnswlib::tableint>(i);
    if (!h->g.isMarkedDeleted(at))
        h->g.markDeletedInternal(at);
}

int ak_hnsw_search(const ak_hnsw *h, const float *vector, int64_t effort,
                   int64_t *rows, float *gaps, int64_t *count)
{
    try {
        const graph &g = h->g;
        const auto ef = static_cast<size_t>(effort);
        *count = 0;
        if (g.cur_element_count == 0)
            return 0;
        const near from = descend(g, vector);
        if (!g.num_deleted_ && ef <= FEW) {
            std::vector<met> best;
            walk(g, from, vector, ef, best);
            for (size_t k = best.size(); k-- > 0;) {
                gaps[*count] = best[k].gap;
                rows[(*count)++] = static_cast<int64_t>(best[k].row & ~DONE);
            }
            return 0;
        }
        auto found = g.num_deleted_
                         ? g.searchBaseLayerST<true>(from.second, vector, ef)
                         : g.searchBaseLayerST<false>(from.second, vector, ef);
        for (; !found.empty(); found.pop()) {
            gaps[*count] = found.top().first;
            rows[(*count)++] = static_cast<int64_t>(found.top().second);
        }
        return 0;
    } catch (...) {
        return 1;
    }
}

int64_t ak_hnsw_upper(const ak_hnsw *h)
{
    int64_t levels = 0;
    for (size_t i = 0; i < h->g.cur_element_count; ++i)
        levels += h->g.element_levels_[i];
    return levels;
}

int64_t ak_hnsw_entry(const ak_hnsw *h)
{
    return h->g.cur_element_count ? h->g.enterpoint_node_ : -1;
}

/* The first half of a count is the count, the rest marks what is removed. */
static int32_t *give_list(const graph &g, const unsigned *list, size_t room,
                          int32_t *to)
{
    const size_t n = g.getListCount(const_cast<unsigned *>(list));
    to[0] = static_cast<int32_t>(n);
    for (size_t k = 0; k < room; ++k)
        to[1 + k] = k < n ? static_cast<int32_t>(list[1 + k]) : 0;
    return to + 1 + room;
}

void ak_hnsw_give(const ak_hnsw *h, int32_t *base, int32_t *levels,
                  int32_t *upper)
{
    const graph &g = h->g;
    for (size_t i = 0; i < g.cur_element_count; ++i) {
        const auto at = static_cast<hnswlib::tableint>(i);
        base = give_list(g, g.get_linklist0(at), g.maxM0_, base);
        levels[i] = g.element_levels_[i];
        for (int level = 1; level <= levels[i]; ++level)
            upper = give_list(g, g.get_linklist(at, level), g.maxM_, upper);
    }
}

static const int32_t *take_list(const graph &g, const int32_t *from,
                                size_t room, unsigned *list)
{
    g.setListCount(list, static_cast<unsigned short>(from[0]));
    std::memcpy(list + 1, from + 1, room * sizeof *list);
    return from + 1 + room;
}

static void take_row(ak_hnsw *h, int64_t i, const float *vector, int32_t level)
{
    graph &g = h->g;
    const auto at = static_cast<hnswlib::tableint>(i);
    std::memset(g.get_linklist0(at), 0, g.size_data_per_element_);
    std::memcpy(g.getDataByInternalId(at), vector, g.data_size_);
    g.setExternalLabel(at, static_cast<size_t>(i));
    if (level > 0) {
        const size_t bytes = g.size_links_per_element_ *
                             static_cast<size_t>(level);
        g.linkLists_[i] =
            static_cast<char *>(std::calloc(bytes + sizeof(unsigned), 1));
        if (g.linkLists_[i] == nullptr)
            throw std::bad_alloc();
    }
    g.element_levels_[static_cast<size_t>(i)] = level;
    g.cur_element_count = static_cast<size_t>(i) + 1;
}

int ak_hnsw_take(ak_hnsw *h, int64_t n, const float *vectors,
                 const int32_t *base, const int32_t *levels,
                 const int32_t *upper, int64_t entry)
{
    graph &g = h->g;
    const size_t dim = g.data_size_ / sizeof(float);
    try {
        for (int64_t i = 0; i < n; ++i) {
            const auto at = static_cast<hnswlib::tableint>(i);
            take_row(h, i, vectors + static_cast<size_t>(i) * dim, levels[i]);
            base = take_list(g, base, g.maxM0_, g.get_linklist0(at));
            for (int level = 1; level <= levels[i]; ++level)
                upper = take_list(g, upper, g.maxM_, g.get_linklist(at, level));
        }
        if (n > 0) {
            g.enterpoint_node_ = static_cast<hnswlib::tableint>(entry);
            g.maxlevel_ = levels[entry];
        }
        return 0;
    } catch (...) {
        return 1;
    }
}

}  // extern "C"
