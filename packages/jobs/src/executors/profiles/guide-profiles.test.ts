import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { chooseProfile } from "./read-profile.ts"

const GUIDE = new URL("../../../../../docs/guides/schedulers.md", import.meta.url)

it("every profile of the guide about schedulers is accepted", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "assay-guide-"))
  const blocks = [...readFileSync(GUIDE, "utf8").matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => text)
  const looked: string[] = []
  for (const text of blocks.filter((block) => block.includes("profiles:\n"))) {
    writeFileSync(join(folder.path, "executors.yaml"), text)
    const { profiles } = parse(text) as { readonly profiles: object }
    for (const profile of Object.keys(profiles)) {
      const { executor } = await chooseProfile({ profile, cwd: folder.path, env: {} })
      looked.push(`${executor} ${profile}`)
    }
  }
  expect(looked).toEqual(
    expect.arrayContaining([
      "local here",
      "command batch",
      "command argo",
      "command ray",
      "slurm cluster",
      "kubernetes cluster",
    ]),
  )
})
