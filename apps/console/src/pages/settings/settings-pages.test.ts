import { verifies } from "@assay/testkit"
import type { Locator } from "playwright-core"
import { describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../../testing/console-test.ts"

const console = useConsole()
const VALUE = "hf_never-shown-8461"

describe.runIf(hasBrowser)("Settings", () => {
  it(
    "creates, changes and deletes a workspace, and asks for its name before it is deleted",
    verifies("console.deletes"),
    async () => {
      await using opened = await console.open("/workspaces")
      const { page } = opened
      await page.getByRole("button", { name: "New workspace" }).click()
      const form = page.getByRole("dialog", { name: "New workspace" })
      await form.getByLabel("Name").fill("Not A Name")
      await form.getByRole("button", { name: "Create" }).click()
      await form.getByRole("alert").waitFor()
      await form.getByLabel("Name").fill("settings-team")
      await form.getByLabel("Description").fill("people <b>of</b> a team")
      await form.getByRole("button", { name: "Create" }).click()

      const panel = page.getByRole("region", { name: "Workspace settings-team" })
      await panel.getByText("people <b>of</b> a team").waitFor()
      // The panel stands beside the list, and the button beside the title.
      const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN
      const table = page.getByRole("grid", { name: "Workspaces" })
      expect(await topOf(panel)).toBeLessThan(await topOf(table))
      const title = page.getByRole("heading", { level: 1 })
      expect(
        Math.abs((await topOf(title)) - (await topOf(page.getByRole("button", { name: "New workspace" })))),
      ).toBeLessThan(8)
      await page.getByLabel("Find workspaces").fill("PEOPLE <B>")
      await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("2")
      await page.getByLabel("Find workspaces").fill("no such text")
      await page.getByText("No name or description contains 'no such text'").waitFor()
      await page.getByLabel("Find workspaces").fill("")
      expect(page.url()).toContain("name=settings-team")
      await panel.getByRole("button", { name: "Edit" }).click()
      await page.getByRole("dialog", { name: "Edit settings-team" }).getByLabel("Description").fill("others")
      await page.getByRole("button", { name: "Save" }).click()
      await panel.getByText("others").waitFor()
      await expectSound(opened)

      await panel.getByRole("button", { name: "Delete" }).click()
      const question = page.getByRole("dialog", { name: "Delete the workspace settings-team?" })
      await expect.poll(() => question.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true)
      await question.getByRole("textbox").fill("settings-team")
      await question.getByRole("button", { name: "Delete" }).click()
      await page.getByText("Deleted the workspace settings-team.").waitFor()
      await page.getByRole("gridcell", { name: "settings-team" }).waitFor({ state: "detached" })
    },
  )

  it("writes secrets and never shows a value", verifies("console.secret-values"), async () => {
    const long = `settings-${"of-a-team-with-a-long-name-".repeat(2)}`.slice(0, 62)
    await console.client.workspaces.create({ name: "settings-keys" })
    await console.client.workspaces.create({ name: long })
    await using opened = await console.open("/secrets?workspace=settings-keys", { width: 400 })
    const { page } = opened
    await page.getByText("The workspace settings-keys has no secrets").waitFor()
    await page.getByRole("button", { name: "New secret" }).click()
    const form = page.getByRole("dialog", { name: "New secret in settings-keys" })
    await form.getByLabel("Name").fill("hub-token")
    await form.getByLabel("Value").fill(VALUE)
    await form.getByRole("button", { name: "Create" }).click()
    await page.getByRole("gridcell", { name: "hub-token" }).click()
    await page.getByRole("region", { name: "Secret hub-token" }).getByText("settings-keys/hub-token").waitFor()
    expect(await page.content()).not.toContain(VALUE)
    await page.getByRole("button", { name: "New secret" }).click()
    await expect.poll(() => form.getByLabel("Value").inputValue()).toBe("")
    await form.getByRole("button", { name: "Cancel" }).click()
    await page.getByLabel("Workspace", { exact: true }).getByText(long).waitFor({ state: "attached" })
    await expectFits(page)
    await expectSound(opened)
    await console.client.workspaces.remove(long)
  })

  it("says how a server begins to ask for tokens", async () => {
    await using opened = await console.open("/tokens", { width: 400 })
    await opened.page.getByText("assay token create laptop --role admin --workspace '*'").waitFor()
    await expectFits(opened.page)
    await expectSound(opened)
  })
})
