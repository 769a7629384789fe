import { BROWSER_FLAGS, findChromium } from "@assay/testkit"
import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"
import { startServerProcess } from "./start-server-process.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of a server without auth, which all tests of this package share. */
    serverUrl: string
    /** The address at which the browser of all tests is reached; empty if there is none. */
    browserUrl: string
  }
}

/** Starts one server and one browser for all tests of the console. Without a browser, they say what they left out. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findChromium()
  if (found.path === undefined) {
    process.stderr.write(`The tests of the console are left out: ${found.reason}.\n`)
    // Tests that are left out still create a client.
    project.provide("serverUrl", "http://127.0.0.1:1")
    project.provide("browserUrl", "")
    return async () => {}
  }
  const [server, browser] = await Promise.all([
    startServerProcess(),
    chromium.launchServer({ executablePath: found.path, args: BROWSER_FLAGS }),
  ])
  project.provide("serverUrl", server.url)
  project.provide("browserUrl", browser.wsEndpoint())
  return async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  }
}
