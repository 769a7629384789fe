import { expect, it } from "vitest"
import { editFile } from "./edit-file.ts"

it("a form changes its values of a file, and keeps comments, order and what it does not know", () => {
  const text = "# nightly\nmodel: http://h/v1#m # the small one\ndata: a/b#c.csv\nchecks:\n  - equals: '{{ a }}' # exact\n  - judge: { ask: Polite?, model: http://h/v1#j }\n"
  const changed = editFile(text, [
    { path: ["checks", 0, "equals"], value: "{{ b }}" },
    { path: ["prompt"], value: "Say {{ q }}" },
    { path: ["limits", "rows"], value: 10 },
  ])
  expect(changed).toBe(
    text.replace("{{ a }}", "{{ b }}").replace("checks:", "prompt: Say {{ q }}\nchecks:") + "limits:\n  rows: 10\n",
  )
  expect(editFile(changed, [{ path: ["limits", "rows"], value: undefined }, { path: ["prompt"], value: undefined }])).toBe(
    text.replace("{{ a }}", "{{ b }}"),
  )
})

it("a new file has its keys in their usual order, and hidden characters as escapes", () => {
  const text = editFile("", [
    { path: ["checks"], value: [{ contains: "{{ answer }}" }] },
    { path: ["data"], value: "w/f" },
    { path: ["model"], value: "http://h/v1#m" },
    { path: ["prompt"], value: "a\u202Eb" },
  ])
  expect(text).toBe('model: http://h/v1#m\ndata: w/f\nprompt: "a\\u202eb"\nchecks:\n  - contains: "{{ answer }}"\n')
  expect(editFile(text, ["model", "data", "prompt", "checks"].map((key) => ({ path: [key], value: undefined })))).toBe("")
  expect(editFile("a: [", [{ path: ["b"], value: 1 }])).toBe("a: [")
})
