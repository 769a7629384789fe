const WHOLE = "In the form of the Hugging Face Hub, whose clients read by ranges. The ETag comes from the content."
const BATCH = "The batch API of Git LFS. URLs are signed, and expire."
const GIT = "The first request of `git clone`. The answer names the commands that copy the files."
const VIEWER = "In the form of the dataset viewer of the Hugging Face Hub."
const S3 = "In the form of S3, as XML. Requests are signed with an access key of this server."

/** Operations for clients of other protocols in one or two sentences, by id. Routes with more to say describe themselves. */
export const PLATFORM_DESCRIPTIONS: Readonly<Record<string, string>> = {
  isViewable: `${VIEWER} All are true if the fileset has a file with rows.`,
  listSplits: `${VIEWER} A split is a word in the names of files or folders.`,
  getDatasetSize: `${VIEWER} Counts rows when it is asked for the first time for a version of a file.`,
  listParquetFiles: `${VIEWER} Only files that the fileset has itself.`,
  viewFirstRows: `${VIEWER} At most 100 rows and about one megabyte.`,
  viewRows: `${VIEWER} The rows of a split are those of its files, one after another.`,
  searchRows: `${VIEWER} Rows whose texts contain all words of the query, in any case.`,
  filterRows: `${VIEWER} \`where\` has comparisons, AND, OR, NOT and parentheses. An ordered page ends at row 10,000.`,
  getStatistics: `${VIEWER} Covers all rows of a split.`,
  s3ListBuckets: S3,
  s3CreateBucket: `${S3} The fileset is on the default storage.`,
  s3PutObject: `${S3} The file appears whole or not at all.`,
  s3ListObjects: `${S3} Versions 1 and 2 of the listing, with prefix and delimiter.`,
  s3GetObject: `${S3} Ranges and conditions are obeyed.`,
  s3Multipart: `${S3} Parts may arrive in any order, and be sent again.`,
  s3DeleteObjects: `${S3} At most 1,000 keys. Each key has its own result.`,
  s3DeleteObject: `${S3} A file that does not exist is not an error.`,
  s3DeleteBucket: `${S3} 409 if it has files.`,

  getHubAccount:
    "In the form of the Hugging Face Hub: the name of the token, and the workspaces in which it has a role.",
  validateHubMetadata: "Clients of the hub ask before they commit a README.",
  listHubModels: "Filesets with the purpose `model` that the token may see, in the form of the Hugging Face Hub.",
  listHubDatasets: "Filesets with the purpose `dataset` that the token may see, in the form of the Hugging Face Hub.",
  listHubSpaces: "In the form of the Hugging Face Hub, for clients that list repositories of every kind.",
  checkMayRead: "Clients of the hub ask before they read. 404 if the token may not see the repository.",
  checkMayWrite: "Clients of the hub ask before they write. 403 if the token may only read.",
  explainModelClone: GIT,
  explainDatasetClone: GIT,
  explainSpaceClone: GIT,
  moveRepository: "In the form of the Hugging Face Hub: renames the fileset. Its files stay where they are.",
  checkSettings: "Clients of the hub send settings after they create a repository. Nothing is stored.",
  createRepository:
    "In the form of the Hugging Face Hub: a repository is a fileset, and its owner a workspace. 409 if it exists.",
  preuploadFiles:
    "Clients of the hub ask before a commit which files go with it (`regular`), and which as objects (`lfs`).",
  getXetWriteToken: "For clients that send files as chunks, with the address of the chunks in its headers. It expires.",
  getXetReadToken: "For clients that read files as chunks, with the address of the chunks in its headers. It expires.",
  commitFiles: "The first line is the header, and each further line is a change of a file or folder.",
  getRepository: "In the form of the Hugging Face Hub: files, times and the newest commit.",
  getRepositoryAt: "In the form of the Hugging Face Hub, at a branch or commit.",
  listBranches: "A fileset on the default storage has one branch, `main`.",
  listCommits: "Ids of commits cover paths, sizes and ETags of all files.",
  createTag:
    "Names the commit of a revision with a tag, which is a revision wherever a commit is one. A commit with a tag stays known.",
  deleteTag: "Deletes the tag `rev`. The commit stays.",
  squashCommits:
    "Forgets all commits but the newest and those with a tag, and removes the kept bytes of replaced and deleted files.",
  listTree: "Files and folders of the root, with `recursive=true` of all levels. `Link` leads to the next page.",
  listTreeBelow:
    "Files and folders of a folder, with `recursive=true` of all levels below it. `Link` leads to the next page.",
  describePaths: "Type, size and digest of each path.",
  resolveModelFile: WHOLE,
  rawModelFile: WHOLE,
  resolveDatasetFile: WHOLE,
  rawDatasetFile: WHOLE,
  resolveSpaceFile: WHOLE,
  rawSpaceFile: WHOLE,
  sendModelObjects: BATCH,
  sendDatasetObjects: BATCH,
  sendSpaceObjects: BATCH,
  keepObject: "For clients of Git LFS that send an object to its own address. Its digest is checked.",
  readObject: "The bytes of a file with this digest. Ranges are obeyed.",
  verifyObject: "Clients of Git LFS ask after an upload. 404 if the object is not there or has another size.",
  sendObject: "The address is from the batch, which names digest and size; both are checked.",
  joinObject: "The parts were sent before to their addresses. The digest of the whole is checked.",
  sendObjectPart: "A part of a large object. A part that is sent again replaces the former one.",
  deleteRepository: "In the form of the Hugging Face Hub: deletes the fileset.",

  createNamespace: "For clients of the first version of the platform. 409 if it exists.",
  listNamespaces: "For clients of the first version of the platform: the workspaces in which the token has a role.",
  getNamespace: "For clients of the first version of the platform.",
  updateNamespace: "For clients of the first version of the platform: a given key replaces its value.",
  deleteNamespace: "For clients of the first version of the platform. 409 if it holds data.",
  createDataStoreNamespace:
    "For clients of the data store, which create its namespaces apart from those of the platform.",
  listDataStoreNamespaces: "For clients of the data store.",
  getDataStoreNamespace: "For clients of the data store.",
  deleteDataStoreNamespace: "For clients of the data store. 409 if it holds data.",
  createDataset: "For clients of the first version of the platform, which register where the files of a dataset are.",
  listDatasets: "For clients of the first version of the platform. Filters are brackets.",
  getDataset: "For clients of the first version of the platform: the record of a fileset in their form.",
  updateDataset: "For clients of the first version of the platform: a given key replaces its value.",
  deleteDataset: "For clients of the first version of the platform: deletes the fileset.",
}
