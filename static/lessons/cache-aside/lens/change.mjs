export async function change(redis, update) {
  await update(); // returns after the commit //@1
  await redis.del("price:7"); //@2
}
