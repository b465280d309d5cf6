const TAKE = `
if tonumber(redis.call("GET", KEYS[1])) < 1 then return 0 end
redis.call("DECR", KEYS[1])
return 1`; //@1-4

/**
 * Begins with the user's bucket; returns the key of the one that had an item, or null.
 * @param {import("ioredis").Redis[]} nodes
 * @param {string} user
 */
export async function buy(nodes, user) {
  for (let i = 0; i < nodes.length; i++) { //@5
    const n = (Number(user) + i) % nodes.length; //@6
    if ((await nodes[n].eval(TAKE, 1, `stock:${n}`)) === 1) { //@7
      return `stock:${n}`; //@8-9
    }
  }
  return null; //@12
}
