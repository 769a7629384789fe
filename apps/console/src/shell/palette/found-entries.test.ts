import { expect, it } from "vitest"
import { findEntries } from "./found-entries.ts"

const entry = (kind: string, label: string, hint = "") => ({ kind, label, hint, to: `/${label}` })
const ALL = [
  entry("page", "Jobs"),
  entry("page", "Filesets"),
  entry("fileset", "my-jobs", "team"),
  entry("job", "Nightly jobs", "eval-1 echo"),
]

it("entries are found by words of their kind, label and hint: first those with this label, then those that begin with the text", () => {
  const found = (text: string) => findEntries(ALL, text).map(({ label }) => label)
  expect(found("")).toEqual(["Jobs", "Filesets", "my-jobs", "Nightly jobs"])
  expect(found("job")).toEqual(["Jobs", "my-jobs", "Nightly jobs"])
  expect(found("NIGHT echo")).toEqual(["Nightly jobs"])
  expect(found("my")).toEqual(["my-jobs"])
  const bad = [entry("help", "bad_response"), entry("fileset", "bad"), entry("job", "a bad job")]
  expect(findEntries(bad, "bad").map(({ label }) => label)).toEqual(["bad", "bad_response", "a bad job"])
  expect(found("fileset team")).toEqual(["my-jobs"])
  expect(found("absent")).toEqual([])
  expect(
    findEntries(
      Array.from({ length: 50 }, (_, at) => entry("job", `j${at}`)),
      "j",
    ),
  ).toHaveLength(20)
})
