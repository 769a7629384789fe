import { findChromium } from "@assay/testkit"
import type { TestProject } from "vitest/node"
import { startServerProcess } from "./start-server-process.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of a server without auth, which all tests of this package share. */
    serverUrl: string
    /** The path of the browser; empty if there is none. */
    browserPath: string
  }
}

/** Starts one server for all tests of the console, and finds a browser. Without one, they say what they left out. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findChromium()
  if (found.path === undefined) {
    process.stderr.write(`The tests of the console are left out: ${found.reason}.\n`)
    // Tests that are left out still create a client.
    project.provide("serverUrl", "http://127.0.0.1:1")
    project.provide("browserPath", "")
    return async () => {}
  }
  const server = await startServerProcess()
  project.provide("serverUrl", server.url)
  project.provide("browserPath", found.path)
  return async () => {
    await server[Symbol.asyncDispose]()
  }
}
