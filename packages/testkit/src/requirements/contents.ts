import { rules, type Requirement } from "./requirement.ts"

/** Rows of datasets, and checkpoints of models. */
export const CONTENTS: readonly Requirement[] = [
  ...rules("contents.md#models", {
    "models.create":
      "POST …/models creates a model of a fileset, returns 201, and starts the analysis of its checkpoint.",
    "models.list":
      "Models are listed in pages, filtered, and sorted by name or age; `-` lists those of all visible workspaces.",
    "models.described":
      "A model without a fileset is described by its endpoint, base model, providers and a given specification.",
    "models.list.described": "Models can be filtered by what clients say about them.",
    "models.update": "PATCH changes what users say about a model, but neither its name nor its fileset.",
    "models.delete.answers-record": "DELETE on a model returns the removed record; its fileset stays.",
    "models.analyze": "POST …/{name}/analyze runs the analysis again.",
    "models.analysis.thread": "A checkpoint of any size is described on a separate thread.",
    "models.analysis.headers-only":
      "Only the headers of weights are read, by range requests: a remote checkpoint costs kilobytes.",
    "models.analysis.alternates": "The folder `alternates/hf` is preferred if it exists.",
    "models.analysis.text-config": "`text_config` is used if it exists.",
    "models.analysis.not-a-checkpoint": "A fileset without a checkpoint is refused with a list of what is missing.",
    "models.spec.fields": "A specification has every field of the contract, and no other.",
    "models.spec.precision": "`precision` comes from the tensors, else from the config.",
    "models.spec.parameters": "Parameters are counted exactly, from the shapes of the tensors.",
    "models.render":
      "POST on a model's render returns the prompt that its chat template makes of a conversation, in a process with limits, or the line that fails.",
    "models.spec.parameters-estimated":
      "Parameters are estimated from the configuration if no header can be read, and marked as estimated.",
    "models.spec.embedding-reasons": "A model that is recognised as an embedding model has the reasons.",
    "models.tools.merge":
      "Tool calling comes from the fileset's metadata key by key, then the checkpoint, then the earlier specification.",
    "models.tools.plugins-dropped": "Plugins are dropped with a warning unless the operator allows them.",
    "models.tools.plugin-exists":
      "Where plugins are allowed, `tool_call_plugin` names an existing fileset with a plugin file, else 422.",
    "models.tools.template": "A chat template has to parse and render a conversation, else 422 with the line.",
    "models.record": "A model's record has spec, analysis and what other records have.",
    "models.wait": "Creation and analysis are waited for up to `wait` seconds, then the answer says `running`.",
    "models.analyze.failed": "A failed analysis keeps the record and says why.",
  }),
  ...rules("contents.md#rows", {
    "contents.rows.numbers":
      "Numbers of rows keep their text and all of their digits in every format; one that can't be kept is an issue of its row.",
    "contents.rows.blank-lines":
      "A blank line of CSV is a record of one empty field in a file of one column, and no record in a file of several.",
    "contents.rows.formats": "Rows are read from JSON, JSON lines, CSV and Parquet, and from text in gzip and zstd.",
    "contents.rows.csv-form":
      "The delimiter, quotes, decimal separator, line ends and encoding of CSV are detected or set, and a note says why the text is read so.",
    "contents.rows.lfs-pointer": "A file that is a pointer of git LFS is an issue that names `git lfs pull`.",
    "contents.rows.json-lines-form":
      "A file of JSON lines that is one array, or one value over several lines, is one issue.",
    "contents.schemas.numbers": "Numbers of row schemas keep all of their digits, wherever the schema is written.",
    "contents.rows.keys": "A JSON row with an object that has a key twice is an issue that names the key.",
    "contents.rows.other-kind":
      "A file of another kind under the name of a row file, such as ZIP or HTML, is one issue that names the kind.",
    "contents.rows.not-json": "A row that is not JSON is an issue, not the end.",
    "contents.schemas.by-path": "Keys of `schemas_by_path` are exact paths or globs; the longest match wins.",
    "contents.schemas.dialects": "A row schema is JSON Schema 2020-12; a `$schema` of draft-07 is honoured.",
    "contents.schemas.bounded":
      "Schemas of users run on threads that are ended at a limit of time and memory with `schema_too_costly`, and the server continues.",
    "contents.parquet.bounded":
      "Parquet is decoded in a process that is ended at a limit of time and memory. The file ends with an issue, and the server continues.",
    "contents.rows.compressed": "Compressed rows hold at most 2,000 times their size, and 256 MiB.",
    "contents.schemas.complete":
      "Of the official tests of JSON Schema none is answered wrong: a schema that can't be used is refused by name.",
    "contents.schemas.references": "A `$ref` reaches `schema_defs` by `#/schema_defs/<name>`; nothing is ever fetched.",
    "contents.metadata.loc": "Invalid dataset metadata is a 422 with `loc` at the key.",
    "contents.validate.threads": "Validation uses all cores, and finds there what it finds on one.",
    "contents.infer.near-types":
      "A proposed schema says where most values of a column have a narrower type, and which values do not.",
    "contents.infer.satisfied": "A proposed schema is satisfied by the rows that it was made from.",
    "contents.upload.refused":
      "Where rows are enforced, an upload with an invalid one is a 422, and nothing is stored.",
  }),
  ...rules("contents.md#validation", {
    "contents.rows.places": "`line` counts from 1, `offset` in bytes from 0, `pointer` is a JSON pointer into the row.",
    "contents.validate.report": "Validation reports rows, valid, invalid and the first issues, per file and in all.",
    "contents.page.rows": "A page of rows has each row with its index, line and issues, the total and the next offset.",
    "contents.page.filter":
      "A page of rows can have only the rows that match filters by column; it searches at most 50,000 rows, and continues at the next offset.",
    "rows.search":
      "`GET …/rows/search` counts all rows that match, waits up to 1.5 s, goes on in the background with progress, and lists rows from a position or a row on.",
    "rows.issues":
      "With `invalid`, a search finds the rows with issues, and counts these by kind; `issue` finds one kind.",
    "rows.export": "`GET …/rows/export` sends the rows that match as CSV or JSON lines, with the given columns.",
    "rows.try-schema": "`POST …/try-schema` checks the first 1,000 rows with another schema, and stores nothing.",
    "contents.metadata.route": "Creating and updating a fileset checks its dataset metadata.",
    "contents.validate.route": "POST …/validate returns the report on a fileset's rows.",
    "contents.upload.route": "An upload follows `metadata.dataset.enforce`.",
    "contents.page.route": "GET …/rows returns a page of rows.",
    "contents.infer.route": "POST …/infer-schema proposes a row schema.",
    "contents.profile.route": "GET …/profile returns counts per column.",
    "contents.validate.command": "`assay dataset validate` works on a fileset and on a local folder.",
  }),
  ...rules("contents.md#reading-rows", {
    "contents.validate.without-schema":
      "A row file without a schema is listed apart; its rows are counted, none invalid unless it is not JSON.",
    "contents.infer.turns": "Files of thousands of columns are read in turns with the rest of the server's work.",
    "contents.infer.required": "A proposed schema requires the fields present in every row that was read.",
    "contents.profile.null-and-absent": "A profile counts null and absent apart.",
    "contents.profile.histogram":
      "A profile has a histogram of the numbers of a column with more than 20 different values, in bins with decimal limits.",
  }),
]
