// A client of Redis whose stores have the time of a test.

/** Replaces the time of a script by its last two values. `evalsha` fails, so that the store sends its script. */
function withTime([command, script, ...values], milliseconds) {
  if (command === 'evalsha') throw new Error('NOSCRIPT the script has the clock of the server');
  if (command !== 'eval') return [command, script, ...values];
  const time = '{table.remove(ARGV, #ARGV - 1), table.remove(ARGV)}';
  const seconds = Math.floor(milliseconds / 1000);
  const microseconds = Math.round(1000 * (milliseconds - 1000 * seconds));
  return [command, script.replace("redis.call('TIME')", time), ...values, String(seconds), String(microseconds)];
}

/**
 * Returns a client for `redisStore` that sends by `client`, of `redis` or `ioredis`, a single node or a Cluster, or of Upstash. `now` returns
 * the time in milliseconds.
 */
export function withClock(client, now) {
  if (typeof client.evalshaBuffer === 'function') {
    return {
      evalshaBuffer: async () => withTime(['evalsha']),
      evalBuffer: (...values) => client.evalBuffer(...withTime(['eval', ...values], now()).slice(1)),
    };
  }
  if (typeof client.nodeClient === 'function') {
    return {
      nodeClient() {},
      sendCommand: async (key, isReadonly, command, options) =>
        client.sendCommand(key, isReadonly, withTime(command, now()), options),
    };
  }
  if (typeof client.sendCommand !== 'function') {
    const hex = (text) => Buffer.from(text).toString('hex');
    return {
      evalsha: async () => withTime(['evalsha']),
      eval(script, keys, values) {
        const [, changed, ...time] = withTime(['eval', script], now());
        return client.eval(changed, keys, [...values, ...time.map(hex)]);
      },
    };
  }
  return { sendCommand: async (command, options) => client.sendCommand(withTime(command, now()), options) };
}
