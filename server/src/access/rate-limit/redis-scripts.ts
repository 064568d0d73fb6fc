// The scripts that Redis runs for rate windows, each as one step that nobody else sees half done. They count like
// shared/sliding-window.ts: a hash of counts by second, and a set of running requests by the end of their lease. Time is
// Redis's own, so that nodes whose clocks differ agree.
const TIME = `
local time = redis.call('TIME')
local second = tonumber(time[1])
local now = second * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/** Per subject three keys: requests, tokens, running. Arguments: id, tokens, lease ms, then rpm, tpm, concurrency (0 = none). */
export const ADMIT_SCRIPT = `${TIME}
local id, tokens, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local function look(key, limit, amount)
  local fields = redis.call('HGETALL', key)
  local sum, newest, pieces = 0, 0, {}
  for i = 1, #fields, 2 do
    local at, count = tonumber(fields[i]), tonumber(fields[i + 1])
    if at < second - 60 then
      redis.call('HDEL', key, fields[i])
    elseif count > 0 then
      sum = sum + count
      if at > newest then newest = at end
      pieces[#pieces + 1] = { at, count }
    end
  end
  local wait = 0
  if amount > limit then
    wait = -1
  elseif sum + amount > limit then
    table.sort(pieces, function(a, b) return a[1] < b[1] end)
    local rest = sum
    for _, piece in ipairs(pieces) do
      rest = rest - piece[2]
      wait = (piece[1] + 61) * 1000 - now
      if rest + amount <= limit then break end
    end
  end
  return { sum = sum, newest = newest, wait = wait }
end

local looked, refused = {}, false
for subject = 0, #KEYS / 3 - 1 do
  local requests, used, running = KEYS[subject * 3 + 1], KEYS[subject * 3 + 2], KEYS[subject * 3 + 3]
  local rpm = tonumber(ARGV[subject * 3 + 4])
  local tpm = tonumber(ARGV[subject * 3 + 5])
  local concurrency = tonumber(ARGV[subject * 3 + 6])
  local seen = { full = 0 }
  if rpm > 0 then seen.requests = look(requests, rpm, 1) end
  if tpm > 0 then seen.tokens = look(used, tpm, tokens) end
  if concurrency > 0 then
    redis.call('ZREMRANGEBYSCORE', running, '-inf', now)
    if redis.call('ZCARD', running) >= concurrency then seen.full = 1 end
  end
  if seen.full == 1 or (seen.requests and seen.requests.wait ~= 0) or (seen.tokens and seen.tokens.wait ~= 0) then
    refused = true
  end
  looked[subject] = seen
end

local function count(key, amount, window)
  redis.call('HINCRBY', key, second, amount)
  redis.call('PEXPIRE', key, 62000)
  window.sum = window.sum + amount
  if amount > 0 then window.newest = second end
end

local answer = { refused and 0 or 1, second }
for subject = 0, #KEYS / 3 - 1 do
  local seen = looked[subject]
  if not refused then
    if seen.requests then count(KEYS[subject * 3 + 1], 1, seen.requests) end
    if seen.tokens then count(KEYS[subject * 3 + 2], tokens, seen.tokens) end
    if tonumber(ARGV[subject * 3 + 6]) > 0 then
      redis.call('ZADD', KEYS[subject * 3 + 3], now + lease, id)
      redis.call('PEXPIRE', KEYS[subject * 3 + 3], lease)
    end
  end
  for _, window in ipairs({ seen.requests or false, seen.tokens or false }) do
    if window then
      answer[#answer + 1] = window.sum
      answer[#answer + 1] = window.newest == 0 and 0 or (window.newest + 61) * 1000 - now
      answer[#answer + 1] = window.wait
    else
      for _ = 1, 3 do answer[#answer + 1] = 0 end
    end
  end
  answer[#answer + 1] = seen.full
end
return answer
`;

/** Keys: of tokens, then of running requests. Arguments: number of the first, id, second of the admission, correction, output. */
export const END_SCRIPT = `${TIME}
local ofTokens, id, counted = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local correction, output = tonumber(ARGV[4]), tonumber(ARGV[5])
for i = 1, ofTokens do
  if counted >= second - 60 and redis.call('HEXISTS', KEYS[i], counted) == 1 then
    if redis.call('HINCRBY', KEYS[i], counted, correction) < 0 then redis.call('HSET', KEYS[i], counted, 0) end
  end
  if output > 0 then
    redis.call('HINCRBY', KEYS[i], second, output)
    redis.call('PEXPIRE', KEYS[i], 62000)
  end
end
for i = ofTokens + 1, #KEYS do redis.call('ZREM', KEYS[i], id) end
return 1
`;

/** One key of running requests. Arguments: lease ms, then ids that still run here. */
export const RENEW_SCRIPT = `${TIME}
local lease = tonumber(ARGV[1])
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + lease, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], lease)
return 1
`;
