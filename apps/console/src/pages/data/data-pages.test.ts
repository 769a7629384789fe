import { writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { printableText } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectFits, expectInWindow, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"
import { focusedName, goTo, press, tabTo } from "../../testing/keyboard.ts"

const ROWS = Array.from({ length: 150 }, (_, id) => ({
  id,
  question: `What is ${id}?`,
  kind: id % 2 === 0 ? "even" : "odd",
  score: id === 7 ? "bad" : id / 10,
}))
const SCHEMA = { type: "object", properties: { score: { type: "number" } } }

describe.runIf(hasBrowser)("the pages of data", () => {
  const console = useConsole()
  beforeAll(async () => {
    const { client } = console
    await client.workspaces.create({ name: "pages" })
    await client.filesets.create("pages", {
      name: "reviews",
      purpose: "dataset",
      metadata: { dataset: { schema: SCHEMA } },
    })
    const lines = ROWS.map((row) => JSON.stringify(row)).join("\n")
    await client.files.write("pages", "reviews", "train/rows.jsonl", lines)
    await client.files.write("pages", "reviews", "<img src=x onerror=alert(1)>.txt", "hostile name")
  })
  afterAll(() => console.client.workspaces.remove("pages", { cascade: true }))

  it("complete a filter, and point at what can't be read", verifies("console.errors"), async () => {
    await using opened = await console.open("/filesets")
    const { page, faults } = opened
    await page.getByRole("searchbox").fill("pur")
    await page.getByRole("button", { name: "purpose" }).first().click()
    await page.getByRole("button", { name: ":", exact: true }).click()
    await page
      .getByRole("alert")
      .filter({ hasText: /position 8 .*bad_filter/su })
      .waitFor()
    await page.getByRole("button", { name: '"dataset"' }).click()
    await page.getByRole("link", { name: "pages/reviews" }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe('purpose:"dataset"')
    expect(faults).toEqual([])
  })

  it("take dropped files, show them, and delete one after a question", verifies("console.deletes"), async () => {
    await using opened = await console.open("/filesets/pages/reviews", { width: 400 })
    const { page } = opened
    const large = Buffer.alloc(3_000_000, "x")
    await page.getByLabel("Files to upload").setInputFiles([
      { name: "small.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") },
      ...["a", "b", "c", "d"].map((name) => ({
        name: `${name}.txt`,
        mimeType: "text/plain",
        buffer: Buffer.from(name),
      })),
      { name: "large.bin", mimeType: "application/octet-stream", buffer: large },
    ])
    await expect.poll(() => page.getByText(/, done$/u).count()).toBe(6)
    expect((await console.client.files.stat("pages", "reviews", "large.bin")).size).toBe(large.length)
    await page
      .getByRole("row", { name: /small\.csv/u })
      .getByRole("button", { name: "Delete small.csv" })
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("status").getByText("Deleted small.csv").waitFor()
    expect(await page.getByRole("row", { name: /small\.csv/u }).count()).toBe(0)
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("row", { name: /small\.csv/u }).waitFor()
    expect((await console.client.files.stat("pages", "reviews", "small.csv")).size).toBe(8)
    await console.client.files.remove("pages", "reviews", "small.csv")
    await expectFits(page)
    await expectSound(opened)
  })

  it(
    "undo the deletion of a fileset, restore it from the trash under another name, and delete it for good",
    verifies("console.deletes", "console.trash"),
    async () => {
      const { client } = console
      await client.filesets.create("pages", { name: "undone" })
      await client.files.write("pages", "undone", "a.txt", "one")
      await using opened = await console.open("/filesets/pages/undone?tab=settings")
      const { page } = opened
      const remove = async () => {
        await page.getByRole("button", { name: "Delete the fileset" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("textbox").fill("undone")
        await dialog.getByRole("button", { name: "Delete the fileset" }).click()
        await page.getByRole("button", { name: "Undo" }).waitFor()
      }
      await remove()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Restored pages/undone").waitFor()
      expect((await client.files.stat("pages", "undone", "a.txt")).size).toBe(3)
      await page.goto("/filesets/pages/undone?tab=settings")
      await remove()
      await client.filesets.create("pages", { name: "undone" })
      await page.getByRole("link", { name: "Trash" }).click()
      await page.getByLabel("Workspace").selectOption("pages")
      await page.getByText("holds 3 B").waitFor()
      await expectSound(opened)
      await page.getByRole("button", { name: "Restore" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
      await page.getByRole("alert").getByText("give another one").waitFor()
      await page.getByRole("dialog").getByRole("textbox").fill("undone-old")
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
      await page.getByText("Restored pages/undone-old").waitFor()
      await client.filesets.remove("pages", "undone-old")
      await page.getByRole("button", { name: "Delete for good" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click()
      await page.getByText("The trash of pages is empty").waitFor()
    },
  )

  it(
    "show what was changed, compare a revision, and restore it after a question",
    verifies("console.history"),
    async () => {
      const { client } = console
      await client.filesets.create("pages", { name: "changing" })
      const { updated_at } = await client.files.write("pages", "changing", "a.txt", "one")
      // Later than a tick of the clock that gives files their times.
      const moment = new Date(Date.parse(updated_at ?? "") + 20).toISOString()
      await expect.poll(() => new Date().toISOString() > moment).toBe(true)
      await client.files.write("pages", "changing", "a.txt", "three")
      await using opened = await console.open(`/filesets/pages/changing?tab=history&revision=${moment}`)
      const { page } = opened
      await page.getByRole("list", { name: "Differences" }).getByText("3 B → 5 B").waitFor()
      await page.getByRole("button", { name: "Restore" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
      await page.getByText("The files are the same.").waitFor()
      await page.getByRole("row", { name: /Restore 20/u }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get("revision")).toMatch(/^[0-9a-f]{40}$/u)
      expect((await client.files.stat("pages", "changing", "a.txt")).size).toBe(3)
      await expectSound(opened)
    },
  )

  it("list every file of a large folder, and find the last of them", verifies("console.files"), async () => {
    const { client } = console
    const fileset = await client.filesets.create("pages", { name: "large", description: "first \u202Elast" })
    // Requests would take most of the time.
    const folder = join((fileset.storage as { path: string }).path, "shards")
    await mkdir(folder, { recursive: true })
    for (let at = 10_000; at < 12_010; at++) writeFileSync(join(folder, `part-${at}.jsonl`), "{}\n")
    await using opened = await console.open("/filesets/pages/large")
    const { page } = opened
    await page.getByText(printableText("first \u202Elast")).waitFor()
    await page
      .getByRole("row", { name: /shards/u })
      .getByText("2,010 files")
      .waitFor()
    await page.getByRole("row", { name: /shards/u }).click()
    await page.getByText("2,010 entries", { exact: true }).waitFor()
    await page.getByRole("grid").focus()
    await page.keyboard.press("End")
    await page.getByText("part-12009.jsonl", { exact: true }).waitFor()
    await page.getByLabel("Find files").fill("PART-12009")
    await page.getByText("shards/part-12009.jsonl", { exact: true }).waitFor()
    await page.getByText("1 file found", { exact: true }).waitFor()
    await page.getByLabel("Find files").fill("nowhere")
    await page.getByText("No path contains 'nowhere'").waitFor()
    await page.getByText("All folders: 2,010 files searched", { exact: true }).waitFor()
    // Blanks count, and are shown as they were written.
    await page.getByLabel("Find files").fill("no  where")
    await expect.poll(() => page.locator(".empty strong").innerText()).toBe("No path contains 'no  where'")
    await expectSound(opened)
  })

  it("show rows with the issue of the schema on its cell", verifies("console.address"), async () => {
    await using opened = await console.open("/rows/pages/reviews?path=train%2Frows.jsonl")
    const { page } = opened
    const cell = page.getByRole("row", { name: /What is 7\?/u }).getByRole("img", { name: /Issue: \/score: / })
    await cell.waitFor()
    await page.getByLabel("Go to row").fill("149")
    await page.getByLabel("Go to row").press("Enter")
    await page.getByRole("complementary", { name: "Row 149" }).waitFor()
    await page.reload()
    const panel = page.getByRole("complementary", { name: "Row 149" })
    await panel.getByText("line 150").waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await expect.poll(() => panel.boundingBox()).toEqual({ x: 0, y: 48, width: 400, height: 752 })
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectSound(opened)
  })

  it(
    "show the first, the last and any other row of a list that is higher than a browser allows",
    verifies("console.million-rows"),
    async () => {
      // 500,000 rows are 18 million pixels high. Firefox stops at 17.9 million, and the table at 15.
      const rows = 500_000
      const lines = Array.from({ length: rows }, (_, id) => `{"id":${id},"name":"row ${id} of many"}`).join("\n")
      await console.client.filesets.create("pages", { name: "many", purpose: "dataset" })
      await console.client.files.write("pages", "many", "rows.jsonl", lines)
      await using opened = await console.open("/rows/pages/many?path=rows.jsonl")
      const { page, faults } = opened
      await page.getByText("row 0 of many", { exact: true }).waitFor()
      const height = await page.evaluate(
        "Math.max(...[...document.querySelectorAll('*')].map((one) => one.scrollHeight))",
      )
      expect(height).toBeLessThanOrEqual(15_000_100)
      await page.getByRole("grid").focus()
      await page.keyboard.press("End")
      await page.getByText(`row ${rows - 1} of many`, { exact: true }).waitFor()
      await page.getByLabel("Go to row").fill("250000")
      await page.getByLabel("Go to row").press("Enter")
      await page.getByText("row 250000 of many", { exact: true }).first().waitFor()
      expect(faults).toEqual([])
    },
  )

  it(
    "show only rows that match, by a bar of a column, a typed filter and the address",
    verifies("console.address"),
    async () => {
      await using opened = await console.open("/rows/pages/reviews?path=train%2Frows.jsonl", { width: 1280 })
      const { page } = opened
      const first = page.getByRole("button", { name: "Only rows with kind even: 75" })
      await first.focus()
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("Enter")
      await page.getByText("75 rows found in 150").waitFor()
      await page.getByLabel("Filter rows").fill("id nonsense")
      await page.getByLabel("Filter rows").press("Enter")
      await page.getByRole("alert").getByText("Write a column").waitFor()
      await page.getByLabel("Filter rows").fill("id>=140")
      await page.getByLabel("Filter rows").press("Enter")
      await page.getByText("5 rows found in 150").waitFor()
      await expect.poll(() => page.getByRole("row", { name: /What is 141\?/u }).count()).toBe(1)
      await expectSound(opened)
      await page.reload()
      await page.getByText("5 rows found in 150").waitFor()
      await page.getByRole("button", { name: "Remove the filter kind=odd" }).click()
      await page.getByText("10 rows found in 150").waitFor()
      await page.getByRole("button", { name: "Only rows with id 20 to 30: 10" }).click()
      await page.getByRole("button", { name: "Remove the filter id<30" }).waitFor()
      await page.getByRole("row", { name: /What is 29\?/u }).waitFor()
      await page.getByLabel("Filter rows").fill("question~nobody")
      await page.getByLabel("Filter rows").press("Enter")
      await page.getByText("All 150 rows were searched.").waitFor()
    },
  )

  it(
    "lead from a file to its bad rows: their number, kinds, the next one by a key, the filter and a download",
    verifies("console.bad-rows", "console.focus"),
    async () => {
      const lines = Array.from({ length: 3000 }, (_, id) =>
        JSON.stringify({
          id,
          name: `name ${id}`,
          score: id % 1000 === 900 ? "none" : id % 50,
          extra: id % 4 === 0 ? null : "x",
        }),
      )
      lines[2500] = '{"id": 2500, "name"'
      await console.client.filesets.create("pages", { name: "bad", metadata: { dataset: { schema: SCHEMA } } })
      await console.client.files.write("pages", "bad", "rows.jsonl", lines.join("\n"))
      await using opened = await console.open("/", { width: 1280 })
      const { page } = opened
      await page.getByRole("heading", { level: 1 }).waitFor()
      await goTo(page, "bad", /^bad\b(?!_)/u)
      await page.getByRole("gridcell", { name: "rows.jsonl", exact: true }).waitFor()
      await tabTo(page, /^Find files$/u)
      await tabTo(page, /^Files$/u)
      await press(page, "j", "Enter")
      await page.getByRole("complementary", { name: "Preview of rows.jsonl" }).waitFor()
      await press(page, "Enter")
      const invalid = page.getByRole("button", { name: "4 invalid rows" })
      await invalid.waitFor()
      await press(page, "n")
      await page.getByRole("complementary", { name: "Row 900" }).getByText("/score").waitFor()
      await expectInWindow(page, page.getByRole("row", { selected: true }))
      await expectInWindow(page, page.getByRole("grid", { name: "Rows" }))
      await press(page, "n", "N")
      await page.getByRole("complementary", { name: "Row 900" }).waitFor()
      await tabTo(page, /^Issues$/u)
      await press(page, "Enter")
      await tabTo(page, /^3 \/score must be number/u)
      await press(page, "Enter")
      await page.getByText("3 rows found in 3,000").waitFor()
      // The keys of the rows work at once, and the menu does not cover them.
      await page.getByRole("row", { name: /name 2900/u }).waitFor()
      await expect.poll(() => focusedName(page)).toBe("Rows")
      await press(page, "End")
      await page.getByRole("complementary", { name: "Row 2900" }).waitFor()
      await press(page, "Escape")
      await page.getByRole("row", { name: /name 2900/u }).waitFor()
      await press(page, "/")
      await tabTo(page, /^Download$/u)
      await press(page, "Enter")
      await tabTo(page, /^As CSV$/u)
      await press(page, "Escape")
      await expect.poll(() => focusedName(page)).toBe("Download")
      await press(page, "Enter")
      await tabTo(page, /^As JSON lines$/u)
      const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Enter")])
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString().split("\n")[0]).toBe(lines[900])
      await page.getByRole("button", { name: "extra", exact: true }).click()
      await page
        .getByRole("complementary", { name: "Column extra" })
        .getByText(/^749 \(/u)
        .waitFor()
      await page.getByRole("complementary").getByRole("button", { name: /^x/u }).click()
      await page.getByRole("button", { name: "Remove the filter extra=x" }).waitFor()
      await expectSound(opened)
    },
  )

  it("try a schema on the first rows before it is stored", verifies("console.try-schema"), async () => {
    await using opened = await console.open("/filesets/pages/bad?tab=metadata")
    const { page } = opened
    await page.getByText("Edit the schema").click()
    await page.getByLabel("Row schema").fill('{"properties": {"extra": {"type": "string"}}}')
    await page.getByRole("button", { name: "Try on the first 1,000 rows" }).click()
    await page.getByText("250 of the first 1,000 rows of rows.jsonl would have issues.").waitFor()
    await page.getByRole("button", { name: "Save the schema" }).click()
    await page.getByText("Saved the row schema").waitFor()
    expect((await console.client.filesets.get("pages", "bad")).metadata.dataset?.schema).toEqual({
      properties: { extra: { type: "string" } },
    })
    await expectSound(opened)
  })

  it("validate all rows, and lead to the bad one", async () => {
    await using opened = await console.open("/filesets/pages/reviews?tab=metadata")
    const { page } = opened
    await page.getByRole("button", { name: "Validate all rows" }).click()
    await page.getByText("149 of 150 rows are valid.").waitFor()
    await expectSound(opened)
    await page.getByRole("link", { name: "train/rows.jsonl:8" }).click()
    await page.getByRole("complementary", { name: "Row 7" }).waitFor()
  })

  it(
    "show models, where they are and how programs read files, without a finding of axe",
    verifies("console.accessible"),
    async () => {
      await using opened = await console.open("/models?workspace=pages")
      const { page } = opened
      await page.getByText("No models in pages").waitFor()
      await expectSound(opened)
      for (const tab of ["storage", "use", "settings"]) {
        await page.goto(`/filesets/pages/reviews?tab=${tab}`)
        await page.getByRole("heading", { name: "reviews", level: 1 }).waitFor()
        await expectSound(opened)
      }
    },
  )

  it("render the chat template of a model, with its special tokens or the line that fails", async () => {
    const { client } = console
    await client.filesets.create("pages", { name: "chat", purpose: "model" })
    const template =
      "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}\n{% if tools %}{{ no() }}{% endif %}"
    const special = Object.fromEntries(
      ["user", "assistant"].map((role) => [role, { content: `<|${role}|>`, special: true }]),
    )
    const config = {
      model_type: "qwen2",
      architectures: ["Qwen2ForCausalLM"],
      hidden_size: 4,
      num_hidden_layers: 1,
      vocab_size: 2,
    }
    const header = JSON.stringify({
      "model.embed_tokens.weight": { dtype: "BF16", shape: [2, 4], data_offsets: [0, 16] },
    })
    const files = {
      "config.json": JSON.stringify(config),
      "tokenizer_config.json": JSON.stringify({ chat_template: template, added_tokens_decoder: special }),
      // The length of the header in eight bytes, the header, and the weights.
      "model.safetensors": `${String.fromCharCode(header.length)}${"\0".repeat(7)}${header}${"\0".repeat(16)}`,
    }
    for (const [path, text] of Object.entries(files)) await client.files.write("pages", "chat", path, text)
    await client.models.create("pages", { name: "chat", fileset: "chat" })
    await using opened = await console.open("/models/pages/chat?gpu=24", { width: 400 })
    const { page } = opened
    await page.locator("pre.prompt").waitFor()
    await expect
      .poll(() => page.locator("pre.prompt mark").allInnerTexts())
      .toEqual(["<|user|>", "<|assistant|>", "<|user|>"])
    await page.getByRole("columnheader", { name: "GPUs of 24 GiB" }).waitFor()
    expect(await page.getByText("virtual tokens").count()).toBe(0)
    await page.getByText("Tools", { exact: true }).first().click()
    await page.getByRole("textbox", { name: "Tools" }).fill('[{"type": "function"}]')
    await page.getByRole("button", { name: "Render" }).click()
    await page.getByRole("heading", { name: "The template fails in line 2" }).waitFor()
    await expectFits(page)
    await expectSound(opened)
  })
})
