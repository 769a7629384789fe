import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseInteger } from "../option-values.ts"

const LOCATIONS =
  "A place is a folder or file of this machine, which needs no server, if it exists, or begins with '.', '/' or '~'. Any other place is a " +
  "fileset, or a file or folder in it."

/** Declares `dataset validate|infer-schema|head|profile`. */
export function addDatasetCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const dataset = addGroup(program, "dataset", {
    summary: "validate, infer-schema, head, profile",
    description: "Datasets: rows in JSON, JSON lines, CSV, TSV and Parquet, in filesets and in local folders.",
    examples: ["assay dataset validate ./reviews --schema schema.json"],
  })
  if (!isNamed("dataset")) return
  addRowOptions(
    addCommand(dataset, "validate <dataset>", {
      summary: "check every row against its schema",
      details:
        "The exit code is 1 if a row is invalid. Each issue begins with file:line:offset. Lines count from 1 and byte offsets from 0, in the uncompressed " +
        `file. If a file has no schema, its rows are valid if they can be read. ${LOCATIONS}`,
      examples: [
        "assay dataset validate ./reviews --schema reviews.schema.json",
        "assay dataset validate ./reviews --metadata dataset.json",
        "assay dataset validate default/reviews",
        "assay dataset validate default/reviews#train --max-issues 10 --json",
        "assay dataset validate ./export.csv --delimiter ';' --encoding windows-1252",
      ],
    }),
  )
    .option("--max-issues <issues>", "maximum number of issues to list per file", parseInteger(1), 100)
    .action(bind(async () => (await import("./validate-dataset.ts")).validateDataset))
  addCsvOptions(
    addCommand(dataset, "infer-schema <dataset>", {
      summary: "propose a row schema from the first rows",
      details:
        "The result is a JSON Schema that all rows that were read satisfy. Its comments, which are also on stderr, say where most values of a column have a " +
        `narrower type, and how CSV is read. ${LOCATIONS}`,
      examples: [
        "assay dataset infer-schema ./reviews > reviews.schema.json",
        "assay dataset infer-schema default/reviews#train --limit 10000",
      ],
    }),
  )
    .option("--limit <rows>", "number of rows to read, from all files together", parseInteger(1), 1000)
    .action(bind(async () => (await import("./infer-row-schema.ts")).inferRowSchema))
  addRowOptions(
    addCommand(dataset, "head <file>", {
      summary: "print the first rows of a file, each as a line of JSON",
      details: `Rows that can't be read are reported on stderr. The exit code is 1 if the file can't be read as it is: another encoding or form. ${LOCATIONS}`,
      json: "print the rows with their lines and byte offsets as one JSON document, or the error",
      examples: ["assay dataset head ./reviews/train.csv.gz", "assay dataset head default/reviews#train.jsonl -n 3"],
    }),
  )
    .option("-n, --limit <rows>", "number of rows to print", parseInteger(1), 10)
    .action(bind(async () => (await import("./head-of-dataset.ts")).headOfDataset))
  addRowOptions(
    addCommand(dataset, "profile <dataset>", {
      summary: "count types, missing values, lengths and top values per column",
      details: `'~' marks estimates. Without a schema, all fields of CSV are text. ${LOCATIONS}`,
      examples: ["assay dataset profile ./reviews", "assay dataset profile default/reviews#train.csv --json"],
    }),
  ).action(bind(async () => (await import("./profile-dataset.ts")).profileDataset))
}

function addRowOptions(command: Command): Command {
  return addCsvOptions(
    command
      .option(
        "--schema <file>",
        "JSON Schema for all rows, in JSON or YAML, or - for stdin; replaces every other schema",
      )
      .option("--metadata <file>", "an object like metadata.dataset of a fileset; replaces that of the fileset"),
  )
}

function addCsvOptions(command: Command): Command {
  return command
    .option("--delimiter <character>", "what separates the fields of CSV, such as ';' or '\\t' (default: detected)")
    .option("--encoding <name>", "encoding of CSV, such as windows-1252 or shift_jis (default: detected)")
    .option("--quotes <kind>", "whether a quote encloses a field of CSV: double or none (default: detected)")
    .option("--decimal <sign>", "decimal separator of numbers in CSV: '.' or ',' (default: detected)")
}
