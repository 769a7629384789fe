import { describe, expect, it } from "vitest"
import { FILESET_FILTER_FIELDS } from "@assay/schemas"
import { completionsOf } from "./filter-completions.ts"

const offered = (text: string) => completionsOf(text, FILESET_FILTER_FIELDS).map((completion) => completion.text)

describe("the completions of a filter", () => {
  it.each([
    ["pur", ["purpose"]],
    ["purpose", ["purpose:"]],
    ["purpose:", ['purpose:"dataset"', 'purpose:"generic"', 'purpose:"model"']],
    ['purpose:"da', ['purpose:"dataset"']],
    ['purpose:"dataset" ', ['purpose:"dataset" AND ', 'purpose:"dataset" OR ']],
    ['purpose:"dataset" AND st', ['purpose:"dataset" AND storage_type']],
    ['-(name~"a" OR sto', ['-(name~"a" OR storage_type']],
    ["created_at", ["created_at:", "created_at>", "created_at<"]],
    ["metadata", ["metadata."]],
    ["name~", []],
    ["nothing", []],
    ["", []],
  ])("%s continues as %j", (text, expected) => expect(offered(text)).toEqual(expected))
})
