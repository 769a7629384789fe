import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectSound, hasBrowser, useConsole } from "../../../testing/console-test.ts"

describe.runIf(hasBrowser)("a deleted job", () => {
  const console = useConsole()

  it(
    "comes back by the undo of its notice, and from the trash",
    verifies("console.deletes", "console.trash"),
    async () => {
      const { jobs } = console.client.evaluation
      const target = { type: "rows", rows: [{ answer: "a", expected: "a" }] } as const
      const check = { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "{{ item.expected }}"] } }
      const config = { type: "custom", tasks: { qa: { type: "data", metrics: { same: check } } } }
      await console.client.workspaces.create({ name: "deleted" })
      const { id } = await jobs.launch({ namespace: "deleted", description: "kept", target, config } as never)
      for await (const _ of jobs.events(id)) continue
      await using opened = await console.open(`/jobs/${id}`)
      const { page } = opened
      const remove = async () => {
        await page.getByText("More", { exact: true }).click()
        await page.getByRole("button", { name: "Delete" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
        await page.getByRole("status").getByText("Deleted kept").waitFor()
      }
      await remove()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Restored kept").waitFor()
      expect((await jobs.rows(id)).total).toBe(1)
      await page.goto(`/jobs/${id}`)
      await remove()
      await page.goto("/trash?workspace=deleted")
      await page.getByRole("row", { name: /kept/u }).getByRole("gridcell", { name: "job", exact: true }).waitFor()
      await page.getByRole("button", { name: "Restore" }).click()
      await page.getByText("The trash of deleted is empty").waitFor()
      expect((await jobs.get(id)).status).toBe("COMPLETED")
      await expectSound(opened)
      await console.client.workspaces.remove("deleted", { cascade: true })
    },
  )
})
