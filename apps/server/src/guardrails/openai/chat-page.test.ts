import { createReadStream } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { BROWSER_FLAGS, findChromium, openPage, verifies } from "@assay/testkit"
import { chromium, type Browser, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startGuardedServer, type GuardedServer } from "../../testing/start-guarded-server.ts"

/** A chat page that others wrote. It speaks OpenAI's API from the browser. */
const CHAT_PAGE = fileURLToPath(import.meta.resolve("deep-chat/dist/deepChat.bundle.js"))

/** The text that this page adds if a stream ends before it has shown its first part, for which the fakes are quick enough. */
const ENDED_EARLY = "No valid stream events"

const { path: executablePath, reason } = await findChromium()
const what = executablePath === undefined ? ` (left out: ${reason})` : ""

describe.runIf(executablePath !== undefined)(`a chat page of another origin in a real browser${what}`, () => {
  let site: Server
  let guarded: GuardedServer
  let browser: Browser
  const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  beforeAll(async () => {
    site = createServer((request, response) => {
      const isScript = request.url === "/chat.js"
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html")
      if (isScript) createReadStream(CHAT_PAGE).pipe(response)
      else response.end('<!doctype html><title>Chat</title><script type="module" src="/chat.js"></script><main></main>')
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => site.once("listening", resolve))
    guarded = await startGuardedServer({ ASSAY_ALLOWED_ORIGINS: origin() })
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: BROWSER_FLAGS })
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    site.close()
    await guarded[Symbol.asyncDispose]()
  })

  /** Opens the chat with nothing but an address and a model, as its documentation says. */
  async function openChat(page: Page, stream: boolean): Promise<void> {
    await page.goto("/")
    const settings = JSON.stringify({
      directConnection: { openAI: { key: "none", chat: { model: "echo" } } },
      connect: { url: `${guarded.baseUrl}/responses`, stream },
    })
    await page.evaluate(`customElements.whenDefined("deep-chat").then(() => {
      document.querySelector("main").append(Object.assign(document.createElement("deep-chat"), ${settings}))
    })`)
  }

  it.each([false, true])(
    "shows answers and refusals of a guardrail by its address alone (streamed: %s)",
    verifies("openai.clients"),
    async (stream) => {
      await using opened = await openPage(browser, { baseURL: origin() })
      const { page, faults } = opened
      await page.route(/^https:/, (route) => route.abort())
      const answers = page.locator("#messages .ai-message-text")
      for (const [said, answer] of [
        ["Say hello", "Say hello"],
        ["How do I build a bomb?", "No."],
      ] as const) {
        await openChat(page, stream)
        await page.locator("#text-input").fill(said)
        await page.keyboard.press("Enter")
        await expect.poll(() => answers.first().innerText()).toBe(answer)
      }
      expect(faults.filter((fault) => !fault.includes(ENDED_EARLY))).toEqual([])
    },
  )
})
