import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createClient, type Client, type Fetch } from "@assay/client"
import type { Role } from "@assay/schemas"
import { type PageOptions, verifies } from "@assay/testkit"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../testing/console-test.ts"
import { startServerProcess, type ServerProcess } from "../testing/start-server-process.ts"

const COMMAND = fileURLToPath(new URL("../../../cli/dist/bundle/main.js", import.meta.url))

/** Its tokens stay valid, although nothing answers at the address of its identity provider. */
const AUTH = {
  ASSAY_AUTH: "oidc",
  ASSAY_OIDC_ISSUER: "http://127.0.0.1:9",
  ASSAY_OIDC_CLIENT_ID: "assay",
  ASSAY_OIDC_GRANTS: JSON.stringify([{ claim: "groups", value: "ml", workspace: "default", role: "editor" }]),
  ASSAY_PUBLIC_URL: "http://127.0.0.1",
}

describe.runIf(hasBrowser)("a server with tokens and an identity provider", () => {
  const console = useConsole()
  let server: ServerProcess
  let client: Client
  const tokenOf = async (role: Role, workspace: string) =>
    (await client.tokens.create({ name: `${role} of ${workspace}`, grants: [{ workspace, role }] })).token
  /** Opens an address as the holder of a token. */
  const openAs = async (token: string, path: string, options: Partial<PageOptions> = {}) => {
    const opened = await console.open("/icon.svg", { baseURL: server.url, ...options })
    const data = { token }
    await opened.page.request.post("/session", { data, headers: { origin: server.url } })
    await opened.page.goto(path)
    return opened
  }
  beforeAll(async () => {
    server = await startServerProcess({ ...AUTH, ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
    const env = { ...process.env, ASSAY_DATA_DIR: `${server.folder}/data` }
    const words = ["token", "create", "root", "--role", "admin", "--workspace", "*"]
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...words], { env })
    client = createClient({ url: server.url, fetch: fetch as Fetch, token: stdout.trim() })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it(
    "asks for a token, refuses a wrong one, and keeps none of it in the browser",
    verifies("console.sign-in"),
    async () => {
      const token = await tokenOf("editor", "default")
      await using opened = await console.open("/filesets", { baseURL: server.url })
      const { page } = opened
      await page.getByLabel("Token").fill("assay_wrong")
      await page.getByRole("button", { name: "Sign in" }).click()
      await expect.poll(() => page.getByRole("alert").innerText()).toContain("unauthorized")
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
      const copied = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Token").waitFor()
      const { status } = await fetch(`${server.url}/status`, { headers: { cookie: copied } })
      expect(status).toBe(401)
    },
  )

  it(
    "asks for a token when a session has ended, and then shows the page of the same address",
    verifies("console.session-ends"),
    async () => {
      const grants = [{ workspace: "default", role: "editor" as const }]
      const { id, token } = await client.tokens.create({ name: "short", grants })
      await using opened = await openAs(token, "/filesets?sort=name&jobs=all")
      const { page } = opened
      await page.getByRole("button", { name: "New fileset" }).waitFor()
      await client.tokens.revoke(id)
      await page.getByLabel("Inputs and results of jobs").click()
      await page.getByText("Your session has ended.").waitFor()
      const address = page.url()
      expect(address).toMatch(/\/filesets\?sort=name$/u)
      const provider = page.getByRole("link", { name: "Sign in with 127.0.0.1:9" })
      expect(await provider.getAttribute("href")).toBe("/session/oidc?return=%2Ffilesets%3Fsort%3Dname")
      await page.getByLabel("Token").fill(await tokenOf("viewer", "default"))
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
      await expect.poll(() => page.getByRole("button", { name: "New fileset" }).count()).toBe(0)
      expect(page.url()).toBe(address)
    },
  )

  describe("offers what a token allows, and says what is missing, to", () => {
    /** The page that compares two jobs. */
    let compared = ""
    const launchScored = async () => {
      const em = { type: "em", params: { ground_truth: "{{ item.answer }}" } }
      const { jobs } = client.evaluation
      const { id } = await jobs.launch({
        description: "scored",
        namespace: "default",
        target: { type: "rows", rows: [{ output: "yes", answer: "yes" }] },
        config: { type: "custom", tasks: { t: { type: "data", metrics: { em } } } },
      })
      for await (const _ of jobs.events(id)) continue
      return id
    }
    beforeAll(async () => {
      const lines = '{"text":"good"}\n'
      await client.filesets.create("default", { name: "rows", purpose: "dataset" })
      await client.files.write("default", "rows", "a.jsonl", new TextEncoder().encode(lines))
      await client.models.create("default", { name: "tiny", fileset: "default/rows" })
      await client.secrets.create("default", { name: "key", value: "hush" })
      const models = [{ type: "main", model: "m", url: "http://127.0.0.1:9/v1" }]
      const rails = { input: { flows: ["self check input"] } }
      await client.guardrails.create("default", { name: "strict", data: { models, rails } })
      const jobs = await Promise.all([launchScored(), launchScored()])
      compared = `/compare?a=${jobs[0]}&b=${jobs[1]}`
      PAGES.push([compared, "PASS"])
    })

    /** The path of each page, and a text on it that shows that it is complete. */
    const PAGES: [string, string][] = [
      ["/", "Recent filesets"],
      ["/filesets", "default/rows"],
      ["/filesets/default/rows", "a.jsonl"],
      ["/models/default/tiny", "default/rows"],
      ["/rows/default/rows", "good"],
      ["/jobs", "scored"],
      ["/launch", "Launch"],
      ["/guardrails", "strict"],
      ["/guardrails/default/strict", "Send"],
      ["/calibration", "Open a report"],
      ["/workspaces?name=default", "Contents"],
      ["/secrets?name=key", "default/key"],
    ]
    const ACTIONS = new Set(
      "Evaluate|Check three rows|Score twelve answers|Score both versions|New fileset|Upload files|Delete|Analyse again|Launch a job|Check and launch|Launch|Ask the models too|Save the configuration|New guardrail|Check|Save|New workspace|Edit|New secret|Replace the value|New token|Revoke".split(
        "|",
      ),
    )
    /** Returns the actions that pages offer. */
    const offered = async (page: Page) => {
      const found: Record<string, readonly string[]> = {}
      for (const [path, text] of PAGES) {
        await page.goto(path)
        await page.locator("main").getByText(text).first().waitFor()
        await expectFits(page)
        // The forms of a calibration and of a launch are sent when they are complete.
        const state = /^\/(?:calibration|launch)$/u.test(path) ? "" : ":enabled"
        const names = await page.locator("main").locator(`button${state}, a.button`).allInnerTexts()
        const actions = new Set(names.filter((name) => ACTIONS.has(name)))
        if (actions.size > 0) found[path] = [...actions]
      }
      return found
    }
    /** Expects that pages say which role is missing. */
    const expectMissing = async (page: Page, role: string, paths: readonly string[]) => {
      for (const path of paths) {
        await page.goto(path)
        await page.getByText(`This needs the role ${role} in a workspace`).waitFor()
      }
    }

    it("a viewer", verifies("console.rights", "console.narrow"), async () => {
      await using opened = await openAs(await tokenOf("viewer", "default"), "/", { width: 320, height: 400 })
      expect(await offered(opened.page)).toEqual({})
      await expectMissing(opened.page, "editor", ["/launch"])
      await expectMissing(opened.page, "admin", ["/tokens", "/audit"])
      await expectSound(opened)
    })

    it("an editor", verifies("console.rights"), async () => {
      await using opened = await openAs(await tokenOf("editor", "default"), "/")
      expect(await offered(opened.page)).toEqual({
        "/": ["Launch a job", "Check three rows", "Score twelve answers", "Score both versions"],
        "/filesets": ["New fileset"],
        "/filesets/default/rows": ["Evaluate", "Upload files", "Delete"],
        "/models/default/tiny": ["Analyse again"],
        "/rows/default/rows": ["Evaluate"],
        "/jobs": ["Launch a job"],
        "/launch": ["Launch", "Ask the models too", "Save the configuration"],
        "/guardrails/default/strict": ["Check"],
        "/calibration": ["Check and launch"],
      })
      await expectMissing(opened.page, "admin", ["/tokens", "/audit"])
    })

    it("a token without rights in a workspace", verifies("console.rights"), async () => {
      await using opened = await openAs(await tokenOf("editor", "elsewhere"), "/launch")
      const { page } = opened
      await page.getByText("This needs the role editor in the workspace default").waitFor()
      await expect.poll(() => page.getByRole("button", { name: "Launch", exact: true }).isDisabled()).toBe(true)
      const ofDefault = ["/filesets/default/rows", "/rows/default/rows", "/models/default/tiny"]
      for (const path of [...ofDefault, "/guardrails/default/strict", compared]) {
        await page.goto(path)
        await expect.poll(() => page.getByRole("alert").first().innerText()).toContain("not_found")
        const names = await page.locator("main").locator("button:enabled").allInnerTexts()
        expect(names.filter((name) => ACTIONS.has(name))).toEqual([])
      }
      await page.goto("/filesets")
      await page.getByText("No filesets yet").waitFor()
    })
  })

  it("lets an admin create a token, which is shown once, and revoke it", verifies("console.tokens"), async () => {
    await using opened = await openAs(await tokenOf("admin", "default"), "/tokens")
    const { page } = opened
    await page.getByText("yours").waitFor()
    // The root token and those of other workspaces are not this admin's concern.
    expect(await page.getByRole("gridcell", { name: "root" }).count()).toBe(0)
    await page.getByRole("button", { name: "New token" }).click()
    const form = page.getByRole("dialog", { name: "New token" })
    await expect
      .poll(() => form.getByRole("combobox", { name: "Workspace" }).locator("option").allInnerTexts())
      .toEqual(["default"])
    await form.getByLabel("Name").fill("ci <b>bot</b>")
    await form.getByRole("combobox", { name: "Role" }).selectOption("editor")
    await form.getByRole("button", { name: "Create" }).click()
    const shown = page.getByRole("dialog", { name: "Token ci <b>bot</b>" })
    const token = await shown.getByLabel("token", { exact: true }).innerText()
    expect(token).toMatch(/^assay_/)
    await shown.getByRole("button", { name: "Done" }).click()
    const row = page.getByRole("row").filter({ hasText: "ci <b>bot</b>" })
    await row.getByText("editor in default").waitFor()
    expect(await page.content()).not.toContain(token)

    await page.setViewportSize({ width: 320, height: 400 })
    await expectFits(page)
    await row.getByText(/^expires (?:never|in )/u).waitFor()
    await expectSound(opened)
    await row.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await page.getByText("Revoked the token ci <b>bot</b>.").waitFor()
    await row.waitFor({ state: "detached" })
    const refused = createClient({ url: server.url, fetch: fetch as Fetch, token }).workspaces.get("default")
    await expect(refused).rejects.toMatchObject({ code: "unauthorized" })
  })

  it("shows an admin who changed what, filtered as the address says", verifies("console.audit"), async () => {
    const name = "<i>odd</i> audit"
    await client.tokens.create({ name, grants: [{ workspace: "default", role: "viewer" }] })
    await client.workspaces.create({ name: "audited" })
    await using opened = await openAs(await tokenOf("admin", "*"), "/audit")
    const { page } = opened
    const row = page.getByRole("row").filter({ hasText: "createWorkspace" })
    await row.getByText("audited").waitFor()
    await row.getByText("root").waitFor()
    await expectSound(opened)
    await page.getByRole("searchbox", { name: "contains" }).fill("odd")
    await page.keyboard.press("Enter")
    await row.waitFor({ state: "detached" })
    await page.getByRole("gridcell", { name }).waitFor()
    expect(page.url()).toContain("field=name&text=odd")
    await page.setViewportSize({ width: 320, height: 400 })
    await page.reload()
    await page.getByRole("gridcell", { name: "createToken" }).waitFor()
    await expect.poll(() => page.getByRole("searchbox", { name: "contains" }).inputValue()).toBe("odd")
    await expectFits(page)
  })
})
