const SAVE = `
redis.call("SET", KEYS[1], ARGV[1])
return redis.call("INCR", KEYS[2])`; //@1-3

/**
 * Returns null where the change has been lost.
 * @param {import("ioredis").Redis[]} nodes the master and a replica
 * @param {string} number
 */
export async function saveAndShow([master, replica], number) {
  const token = await master.eval(SAVE, 2, "order:7", "version:7", number); //@4
  for (const node of [replica, master]) { //@5
    const [shown, version] = await node.mget("order:7", "version:7"); //@6
    if (Number(version) >= token) return shown; //@7-9
  }
  return null;
}
