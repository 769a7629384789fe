import { fieldsOf, isObject } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"
import type { ImportNotes } from "../output/import-notes.ts"
import { readCsvTest } from "./csv-test.ts"
import { endingOf, type SourceFiles } from "./source-files.ts"
import { itemsOf, plainValue, type SourceValue, sourceValue, textOf } from "./source-value.ts"

/** A test, before its variables are combined. */
export interface ImportedTest {
  readonly location: string
  readonly vars: Readonly<Record<string, unknown>>
  readonly asserts: readonly SourceValue[]
  readonly threshold: number | undefined
  readonly description: string | undefined
  /** The model that judges its answers. */
  readonly judge: SourceValue | undefined
  /** Whether lists of texts in its variables are one value each. */
  readonly isWhole: boolean
}

interface TestSource {
  readonly files: SourceFiles
  readonly notes: ImportNotes
}

/** Parts of a test that decide which answers it is about. A test with one of them is left out. */
const OF_A_TEST = ["provider", "providers", "prompts", "providerOutput", "assertScoringFunction"]
const OF_OPTIONS = ["transform", "postprocess", "transformVars", "storeOutputAs"]
/** Texts around the prompt. Only those of `defaultTest` are imported. */
const FRAME = ["prefix", "suffix"]
const PROGRAMS: ReadonlySet<string> = new Set(["js", "mjs", "cjs", "ts", "mts", "py"])

/** Reads the tests and scenarios of a configuration with what `defaultTest` adds to each. @throws `bad_document` */
export async function readTests(root: SourceValue, source: TestSource): Promise<readonly ImportedTest[]> {
  const general = await readDefault(root.at("defaultTest"), source)
  const found = await readAll(root.at("tests"), general, source)
  const scenarios = itemsOf(root.at("scenarios"))
  for (const scenario of scenarios) found.push(...(await readScenario(scenario, general, source)))
  if (root.at("tests").value !== undefined || scenarios.length > 0) return found
  // Without tests, the prompts are asked once.
  const once = await readTest({ item: root.at("defaultTest") }, undefined, source)
  return once === undefined ? [] : [{ ...once, asserts: general.asserts }]
}

async function readAll(tests: SourceValue, general: ImportedTest, source: TestSource): Promise<ImportedTest[]> {
  const found: ImportedTest[] = []
  for (const item of itemsOf(tests)) {
    for (const test of await testsOf(item, source)) {
      const read = await readTest(test, general, source)
      if (read !== undefined) found.push(read)
    }
  }
  return found
}

/** Reads a scenario: each of its tests with each of its configurations. Without tests, it has none. */
async function readScenario(
  scenario: SourceValue,
  general: ImportedTest,
  source: TestSource,
): Promise<readonly ImportedTest[]> {
  const found: ImportedTest[] = []
  for (const config of await readAll(scenario.at("config"), general, source)) {
    found.push(...(await readAll(scenario.at("tests"), config, source)))
  }
  return found
}

/** Reads `defaultTest`, which can be in a file. @throws `bad_document` if it changes every answer */
async function readDefault(given: SourceValue, { files, notes }: TestSource): Promise<ImportedTest> {
  const written = textOf(given)
  const [path] = written === undefined ? [] : files.list(written, given.location)
  const item = path === undefined ? given : await files.readDocument(path)
  const found = changesOf(item, ["assertScoringFunction"], OF_OPTIONS)
  if (found === undefined) return testOf({ item }, await varsOf(item.at("vars"), files), notes)
  const message = `'${found.name}' in 'defaultTest' changes the answers or the verdicts of all tests by code, which is not imported; remove it, and change the assertions.`
  throw new AssayError("bad_document", `${found.location}: ${message}`)
}

interface TestItem {
  readonly item: SourceValue
  /** Whether it is a row of a CSV file. */
  readonly isRow?: boolean
}

async function testsOf(item: SourceValue, { files, notes }: TestSource): Promise<readonly TestItem[]> {
  const written = textOf(item) ?? (isObject(item.value) ? textOf(item.at("path")) : undefined)
  if (written === undefined) return [{ item }]
  const bare = written.replace(/^file:\/\//, "")
  const ending = endingOf(bare.replace(/:[A-Za-z_]\w*$/, ""))
  if (/^[a-z]+:\/\//.test(bare) || PROGRAMS.has(ending) || ["xlsx", "xls"].includes(ending)) {
    notes.add({
      location: item.location,
      part: "tests",
      outcome: "left out",
      detail: `'${bare.slice(0, 80)}' is not a file of rows`,
    })
    return []
  }
  const tests: TestItem[] = []
  for (const path of files.list(bare, item.location)) {
    const kind = endingOf(path)
    if (kind === "csv" || kind === "jsonl") {
      tests.push(...(await files.readRows(path)).map((one) => ({ item: one, isRow: kind === "csv" })))
    } else tests.push(...itemsOf(await files.readDocument(path)).map((one) => ({ item: one })))
  }
  return tests
}

async function readTest(
  { item, isRow = false }: TestItem,
  general: ImportedTest | undefined,
  { files, notes }: TestSource,
): Promise<ImportedTest | undefined> {
  const { value, unknown } = isRow ? ofRow(item) : { value: item, unknown: [] }
  const { location } = item
  for (const part of unknown) notes.add({ location, part, outcome: "left out", detail: "the column is not imported" })
  const found = changesOf(value, OF_A_TEST, [...OF_OPTIONS, ...FRAME])
  if (found !== undefined) {
    const detail = `the whole test: '${found.name}' decides which answers it is about`
    notes.add({ location: found.location, part: "test", outcome: "left out", detail })
    return undefined
  }
  const test = testOf({ item: value }, await varsOf(value.at("vars"), files), notes)
  if (general === undefined) return test
  const keepsDefault = fieldsOf(fieldsOf(value.value)["options"])["disableDefaultAsserts"] !== true
  return {
    ...test,
    vars: { ...general.vars, ...test.vars },
    asserts: [...(keepsDefault ? general.asserts : []), ...test.asserts],
    threshold: test.threshold ?? general.threshold,
    judge: test.judge ?? general.judge,
    isWhole: test.isWhole || general.isWhole,
  }
}

function ofRow(item: SourceValue): { readonly value: SourceValue; readonly unknown: readonly string[] } {
  const { unknown, ...test } = readCsvTest(item.value)
  return { value: sourceValue({ value: test, locationOf: () => item.location }), unknown }
}

function testOf({ item }: TestItem, vars: ImportedTest["vars"], notes: ImportNotes): ImportedTest {
  const { threshold, description, options } = fieldsOf(item.value)
  const { disableVarExpansion, rubricPrompt } = fieldsOf(options)
  if (rubricPrompt !== undefined) {
    const detail = "judges get the prompt of Assay"
    notes.add({ location: item.at("options").location, part: "rubricPrompt", outcome: "left out", detail })
  }
  const judge = item.at("options").at("provider")
  return {
    location: item.location,
    vars,
    asserts: itemsOf(item.at("assert")),
    threshold: typeof threshold === "number" ? threshold : undefined,
    description: typeof description === "string" ? description : undefined,
    judge: judge.value === undefined ? undefined : judge,
    isWhole: disableVarExpansion === true,
  }
}

/** Finds a part of a test that changes answers or chooses them. */
function changesOf(
  item: SourceValue,
  names: readonly string[],
  ofOptions: readonly string[],
): { readonly name: string; readonly location: string } | undefined {
  const has = (source: SourceValue, name: string) => isObject(source.value) && source.value[name] !== undefined
  const own = names.find((name) => has(item, name))
  if (own !== undefined) return { name: own, location: item.at(own).location }
  const options = item.at("options")
  const changed = ofOptions.find((name) => has(options, name))
  return changed === undefined ? undefined : { name: changed, location: options.at(changed).location }
}

/** Reads the variables of a test: an object, or files with objects. @throws `bad_document` */
async function varsOf(vars: SourceValue, files: SourceFiles): Promise<ImportedTest["vars"]> {
  const isFiles = typeof vars.value === "string" || Array.isArray(vars.value)
  if (!isFiles) return withFiles(vars, files)
  const all: Record<string, unknown> = {}
  for (const item of itemsOf(vars)) {
    for (const path of files.list(String(item.value), item.location)) {
      Object.assign(all, await withFiles(await files.readDocument(path), files))
    }
  }
  return all
}

/** Replaces variables that name files by their texts. A pattern gives a list. @throws `bad_document` for a program */
async function withFiles(vars: SourceValue, files: SourceFiles): Promise<ImportedTest["vars"]> {
  const found: [string, unknown][] = []
  for (const key of Object.keys(fieldsOf(vars.value))) {
    const value = vars.at(key)
    const written = textOf(value)
    if (written?.startsWith("file://") !== true) {
      found.push([key, plainValue(value)])
      continue
    }
    const texts: string[] = []
    for (const path of files.list(written, value.location)) texts.push(await textOfFile(path, value.location, files))
    found.push([key, texts.length === 1 ? texts[0] : texts])
  }
  return Object.fromEntries(found)
}

async function textOfFile(path: string, location: string, files: SourceFiles): Promise<string> {
  const ending = endingOf(path)
  if (PROGRAMS.has(ending)) {
    throw new AssayError(
      "bad_document",
      `${location}: '${files.nameOf(path)}' is a program, which is not run; write the value itself.`,
    )
  }
  if (ending === "yaml" || ending === "yml") return JSON.stringify(plainValue(await files.readDocument(path)))
  return (await files.readText(path)).trim()
}
