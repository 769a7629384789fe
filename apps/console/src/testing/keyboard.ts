import type { Page } from "playwright-core"

/** Tabs that a walk may take to its next step: more mean that somebody without a mouse would give up. */
const MAX_TABS = 50

/** The element with the focus, as somebody without a mouse meets it. */
interface Focused {
  readonly name: string
  /** Its fault, such as `is covered`. Empty: it has none. */
  readonly fault: string
}

/** Describes the element with the focus. It runs in the page. */
const FOCUSED = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return { name: "", fault: "nothing has the focus" }
  const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent ?? ""
  // The frame around an editor has its ring.
  const around = [at, at.parentElement, at.parentElement?.parentElement, at.parentElement?.parentElement?.parentElement]
  const isMarked = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none"
  const box = at.getBoundingClientRect()
  const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  const middle = [box.left + Math.min(box.width, 20) / 2, box.top + Math.min(box.height, 20) / 2]
  const shown = document.elementFromPoint(...middle)
  const isCovered = shown !== null && !at.contains(shown) && !shown.contains(at) && at.getAttribute("role") !== "separator"
  // A point of a plot has a circle around it.
  const hasRing = at.closest("svg") !== null || around.some((one) => one != null && isMarked(getComputedStyle(one)))
  const fault = !isSeen ? "is out of sight" : isCovered ? "is covered by " + shown.outerHTML.slice(0, 80) : hasRing ? "" : "has no ring"
  return { name: name.trim().replace(/\\s+/g, " "), fault }
})()`

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/**
 * Presses the tab key, or the given one, until an element with this name has the focus.
 * @throws if an element on the way can't be seen, is covered, or has no ring, or if no tab leads there
 */
export async function tabTo(page: Page, name: RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const passed: string[] = []
  for (let tab = 0; tab < MAX_TABS; tab++) {
    await page.keyboard.press(key)
    const focused = await settledFocus(page)
    // The focus leaves the page for the bar of the browser between its last and its first element.
    if (focused.fault !== "" && focused.name !== "") throw new Error(`“${focused.name}” ${focused.fault}`)
    if (name.test(focused.name)) return
    passed.push(focused.name)
  }
  throw new Error(`No tab leads to ${name.source}, but to: ${passed.join(" | ")}`)
}

/** Frames after which a page that shows an answer has its final layout. */
const MAX_FRAMES = 60

/** Returns the element with the focus, without faults that pass with the next frames: an answer can move what is around it. */
async function settledFocus(page: Page): Promise<Focused> {
  let focused = await page.evaluate<Focused>(FOCUSED)
  for (let frame = 0; frame < MAX_FRAMES && focused.fault !== "" && focused.name !== ""; frame++) {
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))")
    focused = await page.evaluate<Focused>(FOCUSED)
  }
  return focused
}

/** Goes to a page or a record by Ctrl K and a part of its name. */
export async function goTo(page: Page, text: string, option: RegExp): Promise<void> {
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: /^Go to/u }).waitFor()
  await page.keyboard.type(text)
  await page.getByRole("option", { name: option, selected: true }).waitFor()
  await page.keyboard.press("Enter")
}

/** Returns the name of the element with the focus. Empty: nothing has it, so that the next tab leads to an unknown place. */
export async function focusedName(page: Page): Promise<string> {
  return (await page.evaluate<Focused>(FOCUSED)).name
}
