import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectSound, hasBrowser, useConsole } from "../testing/console-test.ts"
import { startServerProcess, type ServerProcess } from "../testing/start-server-process.ts"

const COMMAND = fileURLToPath(new URL("../../../cli/dist/bundle/main.js", import.meta.url))

describe.runIf(hasBrowser)("a server with tokens", () => {
  const console = useConsole()
  let server: ServerProcess
  const makeToken = async (...options: string[]) => {
    const env = { ...process.env, ASSAY_DATA_DIR: `${server.folder}/data` }
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, "token", "create", "x", ...options], {
      env,
    })
    return /assay_[\w-]{20,}/u.exec(stdout)?.[0] ?? ""
  }
  beforeAll(async () => {
    server = await startServerProcess({ ASSAY_AUTH: "tokens" })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it(
    "asks for a token, refuses a wrong one, and keeps none of it in the browser",
    verifies("console.sign-in"),
    async () => {
      const token = await makeToken("--role", "editor", "--workspace", "default")
      await using opened = await console.open("/filesets", { baseURL: server.url })
      const { page } = opened
      await page.getByLabel("Token").fill("assay_wrong")
      await page.getByRole("button", { name: "Sign in" }).click()
      expect(await page.getByRole("alert").innerText()).toContain("unauthorized")
      await expectSound(opened)
      await page.getByLabel("Token").fill(token)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("button", { name: "New fileset" }).waitFor()
      expect(
        await page.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + document.cookie"),
      ).not.toContain("assay_")
      await page.reload()
      await page.getByRole("button", { name: "New fileset" }).waitFor()
      expect(await page.getByRole("link", { name: "Secrets" }).count()).toBe(0)
      await page.getByText("editor", { exact: true }).click()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Token").waitFor()
    },
  )

  it("offers a viewer nothing that changes records", verifies("console.sign-in"), async () => {
    const token = await makeToken("--role", "viewer", "--workspace", "default")
    await using opened = await console.open("/filesets", { baseURL: server.url, width: 400 })
    const { page } = opened
    await page.getByLabel("Token").fill(token)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByText("No filesets yet").waitFor()
    expect(await page.getByRole("button", { name: "New fileset" }).count()).toBe(0)
    await page.goto("/jobs")
    await page.getByText("No jobs yet").waitFor()
    expect(await page.getByRole("link", { name: "Launch a job" }).count()).toBe(0)
    await page.goto("/guardrails")
    await page.getByText("The workspace default has no guardrails").waitFor()
    expect(await page.getByRole("button", { name: "New guardrail" }).count()).toBe(0)
    await expectSound(opened)
  })
})
