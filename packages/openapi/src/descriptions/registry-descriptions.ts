/** Operations of the registry in one or two sentences, by id. Routes with more to say describe themselves. */
export const REGISTRY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  getHome: "Programs get addresses as JSON; a browser gets the console.",
  getMetrics: "Text in the exposition format of Prometheus: requests, jobs, storage, the database and the process.",
  getLiveness:
    "200 as long as the process responds. It asks nothing else, so that a failed dependency restarts no server.",
  getReadiness: "200 if this server can take requests, and 503 with a code if it cannot. Load balancers ask it.",
  getHealth: "The same as `/health/ready`, for programs that ask at this address.",
  beginSignIn: "Redirects the browser to the identity provider, which sends it back to `/session/oidc/callback`.",
  getStatus: "Each check with its result, for people and for `assay doctor`.",
  getClusterInfo: "The version of this server and the revision of its sources.",

  createWorkspace: "A workspace holds filesets, secrets, models, configurations and jobs. 409 if it exists.",
  listWorkspaces: "The workspaces in which the token has a role, a page at a time.",
  getWorkspace: "404 also if the token has no role in it.",
  updateWorkspace: "Replaces the description; fields that are left out keep their values.",
  listSpending:
    "Judges are counted. Months are those of UTC, and the current one has what was used so far. A month without use is left out.",
  getWorkspaceBudget:
    "The limits for requests and tokens of jobs in a calendar month (UTC), and what was used of them.",
  setWorkspaceBudget: "Replaces all limits. A job that reaches one ends, and keeps its answers.",
  deleteWorkspaceBudget: "The use of the month is still counted.",

  createProject: "A project is a name in a workspace that records can carry, to find them again.",
  listProjects: "The projects of a workspace, a page at a time.",
  getProject: "Returns the record of one project.",
  updateProject: "A given key replaces its value.",
  deleteProject: "Removes the record of the project, and returns it.",

  createSecret:
    "The value is encrypted with a key of its own, and never returned. Other records name the secret instead of a key.",
  listSecrets: "Names and times of the secrets of a workspace, without values.",
  getSecret: "Name and times of one secret, without its value.",
  updateSecret: "Replaces the value. Whatever names the secret uses the new value from its next request on.",

  createFileset:
    "A fileset is a named collection of files on the default storage or on the storage that `storage` names. 409 if it exists.",
  listFilesets:
    "Filters are brackets, JSON or text, such as `filter[name][$like]=rev`. `include=usage` adds the number of files and bytes.",
  searchFileRows:
    "Waits up to 1.5 s. Longer work goes on in the background, and `progress` says how far it is: ask again. The result is kept in memory, so that further pages are read at once.",
  exportRows:
    "The body streams after the search is complete. Cells of CSV that a spreadsheet would run as a formula get an apostrophe; JSON lines keep all digits of numbers. Rows that can't be read are left out.",
  trySchema: "Nothing is stored. The schema applies to the file of `path`, or to the first file with rows.",
  getFileset: "Returns the record of one fileset, with every field. Secrets of its storage are named, never shown.",
  updateFileset:
    "A given key replaces its whole value, and null empties it. With `name` the fileset is renamed; its files stay where they are.",
  listFiles:
    "Files in the order of their paths, with sizes, ETags and digests. `recursive=false` lists one level with its folders.",
  readRows:
    "Rows of JSONL, JSON, CSV, TSV or Parquet by index, each with the faults that the schema of its path finds. Columns can be filtered.",
  validateRows:
    "Reads all rows and counts the valid ones. The first faults of each file are listed with row, line and pointer.",
  inferSchema:
    "Returns a JSON Schema (2020-12) of the first rows. It stores nothing: write it to `metadata.dataset` of the fileset to use it.",
  profileRows: "Reads all rows once. Numbers keep their text; frequent values are counted in bounded memory.",
  describeUploads:
    "Headers only: `Tus-Version`, `Tus-Extension`, `Tus-Max-Size` and `Tus-Checksum-Algorithm` of tus 1.0.",
  createUpload:
    "tus 1.0: `Upload-Length` in bytes, and `path` in `Upload-Metadata` as base64. `Location` is the address for the pieces.",
  continueUpload:
    "tus 1.0: the bytes at `Upload-Offset`. The last piece makes the file, whole or not at all. 409 for another offset.",
  continueUploadByPost: "For networks that permit only GET and POST: the same as the method that the header names.",
  deleteUpload: "Removes the pieces that have arrived. A file that exists is not changed.",
  listHistory:
    "Lists what was added, replaced and deleted, newest first: what one caller did in a row, or a commit, is one change. With `path`, lists the former versions of a file or folder, and whether their bytes are kept. `kept` is what the fileset keeps in all.",
  compareRevisions:
    "Compares the files of two revisions. A revision is the id of a change or commit, its first seven digits, a tag, `main`, or a time. All differences are counted, and the first `limit` are listed.",
  compareRowsOfRevisions:
    "Compares the rows of a file in two revisions, of any size. With `key`, rows with the same value of that field are compared cell by cell, in any order; without it, rows are compared as wholes, so a row that changed is one removed and one added. Equal values may be written in another way. All differences are counted, and the first `limit` are listed.",
  restoreRevision:
    "Brings back the files of a revision with a new change, all or below `path`. If the bytes of a file are gone, the answer is 410 `revision_gone`, which names the files, and nothing changes. With `dry_run`, nothing changes either.",
  purgeHistory: "Removes all kept bytes of replaced and deleted files at once. Returns how many they were.",
  getCacheStatus: "Files of remote storage are copied into the read cache when they are first read, or by `POST`.",
  fillCache: "Returns at once. `GET` of the same address shows the progress.",
  emptyCache: "The files stay on their storage, and are copied again when they are read.",
  deleteFileset:
    "Returns the record. Files on the default storage are deleted in the background; files on other storage stay there.",
  deleteWorkspace: "409 if it holds anything, unless `cascade=true` deletes all of it. The built-in workspaces stay.",

  createModel:
    "A model is a record for the checkpoint in a fileset. Its analysis reads headers and configuration, never weights.",
  listModels: "The models of a workspace, a page at a time, with the specifications of their checkpoints.",
  getModel:
    "The record with its analysis: architecture, parameters, precision, context length and what could not be read.",
  updateModel: "A given key replaces its whole value. The analysis stays; `analyze` makes a new one.",
  analyzeModel: "Returns when the analysis has ended. Callers that come meanwhile get the result of the same one.",
  renderChat:
    "Returns the text and its problems as the template of the tokenizer writes it, for a conversation with or without tools.",
  deleteModel: "Returns the record. Nothing of the checkpoint is removed.",
}
