import { setTimeout as sleep } from "node:timers/promises";

/**
 * Resolves to whether job 7 was done within a minute.
 * @param {import("ioredis").Redis} redis
 */
export async function wait(redis) {
  const patience = performance.now() + 60_000;
  const news = redis.duplicate(); //@1
  let heard = new AbortController();
  news.on("message", () => heard.abort());
  news.on("error", () => {}); // it connects and subscribes again //@6-7
  try {
    await news.subscribe("job:7:done"); //@2
    while ((await redis.get("job:7")) !== "done") { //@3
      if (performance.now() >= patience) return false;
      // At most a second: nobody tells of a new subscription, or that a message was lost.
      await sleep(1000, null, { signal: heard.signal }).catch(() => {}); //@4,6-7
      heard = new AbortController();
    }
    return true; //@10
  } finally {
    news.disconnect();
  }
}
