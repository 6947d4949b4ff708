-- The requests that wrk sends: those of a plan from wrk.ts, in a cycle, with placeholders filled in. Counts
-- the status of every response. Each thread of wrk runs this file separately; IDs differ by the thread's
-- number. After its time it sends nothing more and waits, so that every response is counted.

local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long sec; long nsec; } bench_moment;
  int clock_gettime(int clock, bench_moment *moment);
]]
local monotonic = 1
local moment = ffi.new("bench_moment")
local forever_ms = 3600000

local function now()
  ffi.C.clock_gettime(monotonic, moment)
  return tonumber(moment.sec) + tonumber(moment.nsec) / 1e9
end

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

-- Read by done(), which runs elsewhere and sees only the globals of a thread.
sent, statuses = {}, {}
answered, in_time, granted, begun, ended = 0, 0, 0, 0, 0

local plan, parts
local orders, views, pays, step = 0, 0, 0, 0
local made, opened = {}, {}

-- A template as a list: texts, and the names of placeholders.
local function compile(template)
  local list, from = {}, 1
  for before, name, after in template:gmatch("()%{(%l+)%}()") do
    table.insert(list, { text = template:sub(from, before - 1) })
    table.insert(list, { name = name })
    from = after
  end
  table.insert(list, { text = template:sub(from) })
  return list
end

-- This thread's share of a list.
local function share(list)
  local mine = {}
  for index = number + 1, #list, plan.threads do table.insert(mine, list[index]) end
  return mine
end

local fill = {
  order = function()
    orders = orders + 1
    return string.format("%s-%02d-%08d", plan.run, number, orders)
  end,
  -- The customer of the order: one of as many as the largest table has, far from the previous one, so that
  -- rows spread over the indexes. Each run begins with another.
  customer = function() return string.format("%07d", (plan.first_customer + number * 50021 + orders * 98731) % 250000) end,
  again = function() return string.format("%s-%02d-%08d", plan.run, number, orders) end,
  view = function()
    views = views % #plan.views + 1
    return plan.views[views]
  end,
  pay = function()
    pays = pays + 1
    return plan.pays[pays].code
  end,
  token = function() return plan.pays[pays].token end,
  made = function() return table.remove(made, 1) end,
  opened = function() return opened[1].code end,
  openedtoken = function() return table.remove(opened, 1).token end,
}

-- A journey's next request: pays a link that was opened, else opens one that was created, else creates one.
local function next_of_journey()
  if #opened > 0 then return 3 end
  if #made > 0 then return 2 end
  return 1
end

-- Stores what a journey's next requests need: the code of a created link, and the form's token of an opened one.
local function keep_for_journey(body)
  local code, token = body:match('action="/pay/([%w_%-]+)"[^>]*>.-name="form_token" value="([^"]+)"')
  if code then return table.insert(opened, { code = code, token = token }) end
  local created = body:match('"PaymentLinkCode":"([^"]+)"')
  if created then table.insert(made, created) end
end

function init(args)
  plan = dofile(args[1])
  plan.pays = share(plan.pays)
  parts = {}
  for index, template in ipairs(plan.templates) do
    parts[index] = compile(template)
    sent[index] = 0
  end
end

local function is_over(at)
  if ended > 0 then return true end
  local per_link = plan.requests_per_link
  local has_no_link = per_link > 0 and granted >= per_link * #plan.pays
  local is_enough = plan.limit > 0 and granted >= plan.limit / plan.threads
  if at - begun >= plan.seconds or has_no_link or is_enough then ended = at end
  return ended > 0
end

-- Called before each request: how long to delay it.
function delay()
  local at = now()
  if begun == 0 then begun = at end
  if is_over(at) then return forever_ms end
  granted = granted + 1
  return 0
end

local function render(which)
  local texts = {}
  for index, part in ipairs(parts[which]) do texts[index] = part.text or fill[part.name]() end
  return table.concat(texts)
end

function request()
  -- wrk calls it once before the start to see a request, and never sends that one.
  if begun == 0 then
    local sample = render(1)
    orders, views, pays = 0, 0, 0
    return sample
  end
  step = step % #plan.cycle + 1
  local which = plan.is_journey and next_of_journey() or plan.cycle[step]
  sent[which] = sent[which] + 1
  return render(which)
end

function response(status, _, body)
  statuses[status] = (statuses[status] or 0) + 1
  if plan.is_journey then keep_for_journey(body) end
  answered = answered + 1
  if ended == 0 then in_time = in_time + 1 end
end

local function add(sums, counts)
  for key, count in pairs(counts) do sums[key] = (sums[key] or 0) + count end
end

local function list(counts)
  local texts = {}
  for key, count in pairs(counts) do table.insert(texts, key .. ":" .. count) end
  return table.concat(texts, ",")
end

function done(summary, latency)
  local all_sent, all_statuses, all_answered, rate = {}, {}, 0, 0
  for _, thread in ipairs(threads) do
    add(all_sent, thread:get("sent"))
    add(all_statuses, thread:get("statuses"))
    all_answered = all_answered + thread:get("answered")
    rate = rate + thread:get("in_time") / (thread:get("ended") - thread:get("begun"))
  end
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("driven answered=%d per_second=%.2f p50_us=%d p99_us=%d broken=%d sent=%s statuses=%s\n",
    all_answered, rate, latency:percentile(50), latency:percentile(99), broken, list(all_sent), list(all_statuses)))
end
