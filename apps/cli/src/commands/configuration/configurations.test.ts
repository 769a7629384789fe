import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const { folder, assay } = serveCommands()

const FILES = {
  "guard config": [
    "guard.json",
    '{"models": [{"type": "main", "model": "m", "url": "http://127.0.0.1:9/v1"}], "rails": {"input": {"flows": ["self check input"]}}, "prompts": [{"task": "self_check_input", "content": "{{ user_input }}"}]}',
  ],
  "eval target": [
    "eval.yaml",
    'target: {type: model, name: other, model: {api_endpoint: {url: "http://127.0.0.1:9/v1", model_id: m}}}\nconfig: {type: custom}\n',
  ],
  "eval config": [
    "config.yaml",
    "type: custom\ntasks: {t: {type: data, dataset: {files_url: default/rows}, metrics: {m: {type: em, params: {ground_truth: x}}}}}\n",
  ],
} as const

describe("stored configurations", () => {
  it.each(Object.entries(FILES))(
    "`assay %s` creates, replaces, lists, prints and deletes",
    verifies("cli.configurations"),
    async (kind, [file, text]) => {
      folder.write(file, text)
      const run = (...words: readonly string[]) => assay(...kind.split(" "), ...words)
      expect(await run("create", "strict", file)).toMatchObject({ exitCode: 0, stdout: "created default/strict\n" })
      const again = await run("create", "strict", file)
      expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("already exists")])
      expect(again.stderr).toContain(`\n\n    assay ${kind} create strict ${file} --force\n`)
      expect((await run("create", "default/strict", file, "--force")).stdout).toBe("replaced default/strict\n")
      expect((await run("list")).stdout).toMatch(/^NAME +UPDATED +DESCRIPTION\nstrict +20/)
      expect(JSON.parse((await run("get", "strict")).stdout)).toMatchObject({ name: "strict" })
      expect((await run("delete", "strict")).stderr).toContain("add --yes")
      expect((await run("delete", "strict", "--yes")).stdout).toBe("deleted default/strict\n")
      expect((await run("list")).stdout).toBe("none\n")
    },
  )
})
