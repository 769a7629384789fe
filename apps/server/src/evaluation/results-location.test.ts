import { createHostEnvironment } from "@assay/jobs"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { EDITOR, INSIDE, openTestEnvironment, type TestEnvironment, VIEWER } from "../testing/open-test-environment.ts"
import { jobCaller } from "./evaluation-requests.ts"

let test: TestEnvironment
beforeAll(async () => {
  test = await openTestEnvironment()
})
afterAll(() => test[Symbol.asyncDispose]())

describe("the location of results", () => {
  async function probe(caller: typeof INSIDE, outputFilesUrl: string | null): Promise<void> {
    const { context, folder: workFolder } = test
    const options = { workspace: "default", workFolder, rights: jobCaller(caller).rights, outputFilesUrl }
    await (await createHostEnvironment(context, options)).probeResults?.(new AbortController().signal)
  }

  it("is tested with a file that is removed again", verifies("launch.results"), async () => {
    await probe(INSIDE, null)
    await probe(EDITOR, "shared/questions")
    const { data } = await test.context.registry.files.list("shared", "questions", {})
    expect(data.map(({ path }) => path)).toEqual(["rows.jsonl"])
  })

  it.each([
    [INSIDE, "shared/questions", "not_found"],
    [VIEWER, "shared/questions", "forbidden"],
    [EDITOR, "shared/none", "not_found"],
    [EDITOR, "nowhere", "dataset_format"],
  ])("is refused if results can't be written there: %#", async (caller, url, code) => {
    await expect(probe(caller, url)).rejects.toMatchObject({ code })
  })
})
