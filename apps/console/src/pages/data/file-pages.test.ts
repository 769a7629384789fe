import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"

/** Two rows with an id and a word. */
const PARQUET =
  "UEFSMRUGFRQVFFwVBBUAFQQVABUEFQAAAAMDAQAAAAIAAAAVBhUiFSJcFQQVABUEFQAVBBUAAAADAwQAAABmw7xyAwAAAHR3bxUEGTxIBHJvb3QVBAAVAiUCGAJpZAAVDCUCGAR3b3JkJQAAFgQZHBksJggcFQIZFQAZGAJpZBUAFgQWPhY+JggAACZGHBUMGRUAGRgEd29yZBUAFgQWTBZMJkYAABaKARYENooBACgJaHlwYXJxdWV0GSwcAAAcAAAAegAAAFBBUjE="
/** The namespace of pictures. */
const SVG = "www.w3.org/2000/svg"
/** A red dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

const FILES: Readonly<Record<string, string | Buffer<ArrayBuffer>>> = {
  "a-readme.md":
    "# About\n\n**Bold** <script>window.ran = 1</script> <img src=x onerror='window.ran = 1'>\n\n[no](javascript:window.ran=1) ![remote](https://example.com/x.png)\n",
  "b-config.json": '{"large": 12345678901234567890, "list": [1, 2, {"deep": [{"deeper": "bottom"}]}]}',
  "c-deep.json": `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "d-drawing.svg": `<svg xmlns='http://${SVG}' onload='window.ran = 1'><script>window.ran = 1</script></svg>`,
  "e-dot.png": Buffer.from(PNG, "base64"),
  "f-not-a-picture.png": "<html><script>window.ran = 1</script></html>",
  "g-long.log": `first line\n${"x".repeat(70_000)}`,
  "h-bytes.bin": Buffer.from([0, 1, 2, 255]),
  "i-empty.txt": "",
  "j-rows.parquet": Buffer.from(PARQUET, "base64"),
}

describe.runIf(hasBrowser)("the files of a fileset", () => {
  const console = useConsole()
  beforeAll(async () => {
    const { workspaces, filesets, files } = console.client
    await workspaces.create({ name: "previews" })
    await filesets.create("previews", { name: "mixed" })
    for (const [path, bytes] of Object.entries(FILES)) await files.write("previews", "mixed", path, bytes)
  })
  afterAll(() => console.client.workspaces.remove("previews", { cascade: true }))

  it(
    "are shown beside their list, one after the other by keys, and nothing in them runs",
    verifies("console.previews"),
    async () => {
      await using opened = await console.open("/filesets/previews/mixed", { width: 1280 })
      const { page, faults } = opened
      const preview = (path: string) => page.getByRole("complementary", { name: `Preview of ${path}` })
      await page.getByText("10 entries", { exact: true }).waitFor()
      await page.getByRole("grid").focus()
      await page.keyboard.press("j")
      await page.keyboard.press("Enter")
      const readme = preview("a-readme.md")
      await readme.locator("strong").getByText("Bold").waitFor()
      expect(await readme.getByText("<script>window.ran = 1</script>").count()).toBe(1)
      expect(await readme.locator("img, script").count()).toBe(0)
      expect(await readme.getByRole("link", { name: "no" }).count()).toBe(0)
      await expectSound(opened)
      await page.getByRole("grid").focus()
      await page.keyboard.press("j")
      await preview("b-config.json").getByText("12345678901234567890").waitFor()
      await preview("b-config.json").getByRole("button", { name: "As written" }).waitFor()
      await page.keyboard.press("j")
      await preview("c-deep.json").locator("summary").first().waitFor()
      await page.keyboard.press("j")
      await preview("d-drawing.svg").getByText("<svg xmlns=").waitFor()
      await page.keyboard.press("j")
      await preview("e-dot.png").getByText("1 × 1 pixels").waitFor()
      await expectSound(opened)
      await page.getByRole("grid").focus()
      await page.keyboard.press("j")
      await preview("f-not-a-picture.png").getByText("can't draw this picture").waitFor()
      await page.keyboard.press("j")
      await preview("g-long.log").getByText("The first 64").waitFor()
      await page.keyboard.press("j")
      await preview("h-bytes.bin").getByText("4 B that are not text").waitFor()
      await page.keyboard.press("j")
      await preview("i-empty.txt").getByText("The file is empty.").waitFor()
      await page.keyboard.press("j")
      await preview("j-rows.parquet").getByRole("cell", { name: "für" }).waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get("file")).toBe("j-rows.parquet")
      await preview("j-rows.parquet").getByRole("link", { name: "Show all rows" }).waitFor()
      await page.setViewportSize({ width: 400, height: 800 })
      await expectFits(page)
      await page.getByRole("grid").focus()
      await page.keyboard.press("Escape")
      await expect.poll(() => page.getByRole("complementary").count()).toBe(0)
      expect(await page.evaluate("window.ran")).toBeUndefined()
      expect(faults).toEqual([])
    },
  )

  it(
    "are dropped on the list of filesets, which asks for a name, and on the list of files",
    verifies("console.drops"),
    async () => {
      await using opened = await console.open("/filesets", { width: 1280 })
      const { page } = opened
      const drop = async (on: string, name: string, text: string) => {
        const data = await page.evaluateHandle(
          `{ const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); data }`,
        )
        await page.locator(on).first().dispatchEvent("dragover", { dataTransfer: data })
        await page.locator(on).first().dispatchEvent("drop", { dataTransfer: data })
      }
      await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
      await page.getByRole("grid", { name: "Filesets" }).waitFor()
      await drop('[role="grid"]', "dropped rows.csv", "a,b\n1,2\n")
      const form = page.getByRole("dialog", { name: "New fileset" })
      await form.getByText("1 file, 8 B will be uploaded.").waitFor()
      await expect.poll(() => form.getByLabel("Name", { exact: true }).inputValue()).toBe("dropped-rows")
      await form.getByLabel("Workspace").fill("previews")
      await expectSound(opened)
      await form.getByRole("button", { name: "Create" }).click()
      await page.getByRole("row", { name: /dropped rows\.csv/u }).waitFor()
      expect((await console.client.files.stat("previews", "dropped-rows", "dropped rows.csv")).size).toBe(8)
      await drop('[role="grid"]', "more.txt", "more")
      await page.getByRole("row", { name: /more\.txt/u }).waitFor()
      await expectSound(opened)
    },
  )

  it("have rows of the height that the browser keeps for all tables", verifies("console.density"), async () => {
    await using opened = await console.open("/filesets/previews/mixed", { width: 1280 })
    const { page } = opened
    const height = () =>
      page.getByRole("row", { name: /a-readme/u }).evaluate((row) => row.getBoundingClientRect().height)
    await expect.poll(height).toBe(36)
    await page.getByText("Columns", { exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Compact rows, in all tables").focus()
    await page.keyboard.press("Space")
    await expect.poll(height).toBe(28)
    await page.reload()
    await expect.poll(height).toBe(28)
    await expectSound(opened)
  })

  it("create a fileset, rename it and delete it after its name was typed", verifies("console.deletes"), async () => {
    await using opened = await console.open("/filesets")
    const { page } = opened
    await page.getByRole("button", { name: "New fileset" }).click()
    const form = page.getByRole("dialog", { name: "New fileset" })
    await form.getByLabel("Workspace").fill("previews")
    await form.getByLabel("Name", { exact: true }).fill("made")
    await form.getByRole("button", { name: "Create" }).click()
    await page.getByText("No files yet").waitFor()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByLabel("Name", { exact: false }).fill("renamed")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "renamed", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Delete the fileset" }).click()
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete the fileset" })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await page.getByLabel(/to confirm/u).fill("renamed")
    await confirm.click()
    await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
    await expect(console.client.filesets.get("previews", "renamed")).rejects.toMatchObject({ code: "not_found" })
  })
})
