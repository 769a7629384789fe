import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { BROWSER_FLAGS, findChromium, verifies } from "@assay/testkit"
import { chromium, type Browser, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const FILESETS = `${FILES}/default/filesets`

/** Writes that a page can send without a preflight, because their routes need no JSON content type. */
const WRITES = {
  commit: {
    path: `${HUB_PREFIX}/api/datasets/default/victim/commit/main`,
    type: "text/plain",
    body: [
      { key: "header", value: { summary: "x" } },
      { key: "file", value: { path: "written.txt", content: btoa("written"), encoding: "base64" } },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  },
  form: {
    path: `${HUB_PREFIX}/api/repos/create`,
    type: "application/x-www-form-urlencoded",
    body: "name=formed&organization=default&type=dataset",
  },
  rotate: { path: `${SECRETS.replace("/workspaces", "")}/rotate-encryption-keys`, type: "", body: "" },
  file: { path: `${FILESETS}/victim/-/upload.txt`, type: "multipart", body: "written" },
  workspace: { path: ENTITIES, type: "text/plain", body: '{"name":"made"}' },
}

/** Runs in the page. It is text, because its globals are not those of Node. */
const WRITE_ALL = `async ([server, writes, filesets]) => {
  for (const { path, type, body } of writes) {
    const form = new FormData()
    form.append("file", new Blob([body]), "a.txt")
    const content = type === "multipart" ? form : new Blob([body], type === "" ? {} : { type })
    await fetch(server + path, { method: "POST", mode: "no-cors", body: content }).catch(() => null)
    navigator.sendBeacon(server + path, content)
  }
  return fetch(server + filesets).then((answer) => answer.text(), () => null)
}`

/** Sends all of `WRITES`, each as a fetch without CORS and as a beacon. Returns what it can read of the list of filesets. */
async function writeAll(page: Page, url: string): Promise<string | null> {
  const given = JSON.stringify([url, Object.values(WRITES), FILESETS])
  return page.evaluate(`(${WRITE_ALL})(${given})`)
}

/** Sends a form by navigation. Returns the status of the page that the visitor then sees. */
async function submitForm(page: Page, url: string): Promise<number> {
  const address = `${url}${WRITES.form.path}`
  const fields = { name: "submitted", organization: "default", type: "dataset" }
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  await page.setContent(`<form method="post" action="${address}">${inputs.join("")}</form>`)
  const [answer] = await Promise.all([
    page.waitForResponse(address),
    page.evaluate('document.querySelector("form").submit()'),
  ])
  return answer.status()
}

const { path: executablePath, reason } = await findChromium()
const what = executablePath === undefined ? ` (left out: ${reason})` : ""

describe.runIf(executablePath !== undefined)(`a page in a real browser${what}`, () => {
  let server: TestServer
  let foreign: Server
  let browser: Browser
  beforeAll(async () => {
    server = await startTestServer()
    await server.call("POST", FILESETS, { json: { name: "victim" } })
    foreign = createServer((_request, response) => {
      response.setHeader("content-type", "text/html")
      response.end("<!doctype html><title>foreign</title>")
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => foreign.once("listening", resolve))
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: BROWSER_FLAGS })
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    foreign.close()
    await server[Symbol.asyncDispose]()
  })

  /** Returns everything that the writes could have created. */
  async function written() {
    const names = (list: { readonly data: readonly { readonly name: string }[] }) => list.data.map(({ name }) => name)
    const [filesets, workspaces] = await Promise.all([server.call("GET", FILESETS), server.call("GET", ENTITIES)])
    return {
      filesets: names(filesets.json),
      workspaces: names(workspaces.json),
      files: (await server.call("GET", `${FILESETS}/victim/files`)).json.data.map(
        (file: { path: string }) => file.path,
      ),
      rotations: /rotated/i.test(server.log()),
    }
  }

  it.each(["127.0.0.1", "localhost"])(
    "of another origin at %s can neither write nor read",
    verifies("auth.cross-site"),
    async (host) => {
      const before = await written()
      const page = await browser.newPage()
      await page.goto(`http://${host}:${(foreign.address() as AddressInfo).port}`)
      const logged = server.log().length
      expect(await writeAll(page, server.url)).toBeNull()
      expect(await submitForm(page, server.url)).toBe(403)
      // The browser sends all writes: fetch, beacon and form reach the server, which refuses them.
      const refused = () =>
        server
          .log()
          .slice(logged)
          .match(/"status":403/g)?.length
      await expect.poll(refused).toBe(2 * Object.keys(WRITES).length + 1)
      await page.close()
      expect(await written()).toEqual(before)
    },
  )

  it("of the server itself can write", verifies("auth.cross-site"), async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/health/live`)
    const read = await writeAll(page, server.url)
    expect(JSON.parse(read ?? "{}").data.map(({ name }: { name: string }) => name)).toContain("victim")
    await page.close()
    expect(await written()).toMatchObject({
      filesets: expect.arrayContaining(["victim", "formed"]),
      files: expect.arrayContaining(["written.txt"]),
    })
  })
})
