export { BROWSER_FLAGS } from "./browser/browser-flags.ts"
export { findAccessibilityFaults } from "./browser/find-accessibility-faults.ts"
export { findChromium, type FoundChromium } from "./browser/find-chromium.ts"
export { openPage, type OpenPage, type PageOptions } from "./browser/open-page.ts"
