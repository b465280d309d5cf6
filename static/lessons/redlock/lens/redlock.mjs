import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const TTL_MS = 10_000; //@7
const DRIFT_MS = 102; // 1 % and 2 ms //@7
const UNLOCK = `
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`; //@1-5

/**
 * Each client needs a short commandTimeout, and maxRetriesPerRequest: 0; false where no attempt won.
 * @param {import("ioredis").Redis[]} nodes
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
export async function workLocked(nodes, work) { //@6
  const token = randomUUID(); //@8
  for (let attempt = 0; attempt < 2; attempt++) { //@10
    if (attempt > 0) await sleep(randomInt(5, 21)); //@27
    const start = performance.now(); //@11
    let votes = 0; //@11
    for (const node of nodes) { //@12
      // No answer is no vote.
      const reply = await node.set("lock", token, "PX", TTL_MS, "NX").catch(() => null); //@13
      if (reply === "OK") votes += 1; //@14
    }
    const validity = Math.floor(TTL_MS - (performance.now() - start) - DRIFT_MS); //@16
    try {
      if (votes > nodes.length / 2 && validity > 0) { //@17
        await work(AbortSignal.timeout(validity)); //@18-21
        return true; //@26
      }
    } finally {
      for (const node of nodes) { //@23
        await node.eval(UNLOCK, 1, "lock", token).catch(() => 0); //@24
      }
    }
  }
  return false;
}
