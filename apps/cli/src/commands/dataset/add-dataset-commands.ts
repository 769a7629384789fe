import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseInteger } from "../parse-integer.ts"

const SIDES =
  "A place that begins with '.', '/' or '~', or ends with '/' and has no '#', is a folder or file of this machine and needs no server; every other one is a " +
  "fileset, or a file or folder in it."

/** `dataset validate|infer-schema|head|profile` */
export function addDatasetCommands(program: Command, bind: Bind): void {
  const dataset = addGroup(program, "dataset", {
    summary: "validate, infer-schema, head, profile",
    description: "Datasets: rows in JSON, JSON lines, CSV, TSV and Parquet, of filesets and of local folders.",
    examples: ["assay dataset validate ./reviews --schema schema.json"],
  })
  addValidate(dataset, bind)
  addCommand(dataset, "infer-schema <dataset>", {
    summary: "propose a row schema from the first rows",
    details: `It is a JSON Schema that every row that was read satisfies. ${SIDES}`,
    examples: [
      "assay dataset infer-schema ./reviews > reviews.schema.json",
      "assay dataset infer-schema default/reviews#train --rows 10000",
    ],
  })
    .option("--rows <rows>", "rows to read, of all files together", parseInteger(1), 1000)
    .action(bind(async () => (await import("./infer-row-schema.ts")).inferRowSchema))
  addHead(dataset, bind)
  addMetadataOptions(
    addCommand(dataset, "profile <dataset>", {
      summary: "count types, missing values, lengths and top values per column",
      details: `Estimates are marked with '~'. Without a schema, the fields of CSV are text. ${SIDES}`,
      examples: ["assay dataset profile ./reviews", "assay dataset profile default/reviews#train.csv --json"],
    }),
  ).action(bind(async () => (await import("./profile-dataset.ts")).profileDataset))
}

function addValidate(dataset: Command, bind: Bind): void {
  addMetadataOptions(
    addCommand(dataset, "validate <dataset>", {
      summary: "hold every row against its schema",
      details:
        "The exit code is 1 when a row is invalid. Each issue begins with file:line:offset, the line counted from 1 and the byte offset from 0, in the file as it is " +
        `uncompressed. A row of a file without a schema is valid when it can be read. ${SIDES}`,
      examples: [
        "assay dataset validate ./reviews --schema reviews.schema.json",
        "assay dataset validate ./reviews --metadata dataset.json",
        "assay dataset validate default/reviews",
        "assay dataset validate default/reviews#train --max-issues 10 --json",
      ],
    }),
  )
    .option("--max-issues <issues>", "issues to list of each file", parseInteger(1), 100)
    .action(bind(async () => (await import("./validate-dataset.ts")).validateDataset))
}

function addHead(dataset: Command, bind: Bind): void {
  addMetadataOptions(
    addCommand(dataset, "head <file>", {
      summary: "print the first rows of a file, each as a line of JSON",
      details: `Rows that can't be read are told on stderr. ${SIDES}`,
      json: "print the rows with their lines and byte offsets as one JSON document, or the error",
      examples: ["assay dataset head ./reviews/train.csv.gz", "assay dataset head default/reviews#train.parquet -n 3"],
    }),
  )
    .option("-n, --rows <rows>", "rows to print", parseInteger(1), 10)
    .action(bind(async () => (await import("./head-of-dataset.ts")).headOfDataset))
}

function addMetadataOptions(command: Command): Command {
  return command
    .option("--schema <file>", "JSON Schema of all rows, in JSON or YAML, - for stdin; instead of any other")
    .option(
      "--metadata <file>",
      "the object that metadata.dataset of a fileset would hold; instead of the fileset's own",
    )
}
