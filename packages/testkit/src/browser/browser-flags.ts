/** Flags of a Chromium that reaches nothing but the pages that a test opens. Tests run as root in containers: no sandbox. */
export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // One process for all pages: the start of each costs processor time, and the pages are our own.
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
]
