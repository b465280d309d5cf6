// The front page's run as it is first drawn, in HTML that stands in the page before its program comes:
// record.mjs writes it (static/first/), `check finish` puts it in, home.test.mjs holds that it is true.

/** In the page: the frame of the run, without what only the program reads or measures. */
const picture = () => {
  const frame = document.querySelector(".front .frame").cloneNode(true);
  for (const one of frame.querySelectorAll(".diagram > *, .film, .threads, .glow, .road")) one.remove();
  for (const one of [frame, ...frame.querySelectorAll("*")]) {
    for (const { name } of [...one.attributes]) {
      if (!/^(class|style|lang|translate|type|data-client|aria-hidden|aria-disabled|aria-level)$/.test(name)) one.removeAttribute(name);
    }
  }
  return frame.innerHTML;
};

/** The first picture of a page that `open` opened, once its run is there. */
export async function firstPicture(page) {
  await page.locator('.front .stage[data-step-now="0"]').waitFor();
  await page.locator(".front button.step").first().waitFor();
  return page.evaluate(picture);
}

/** How it is recorded and compared. */
export const FIRST = { size: 1440, calm: "the picture before anything moves" };
