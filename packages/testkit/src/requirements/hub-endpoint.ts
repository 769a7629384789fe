import { rules, type Requirement } from "./requirement.ts"

/** Filesets for unmodified hub clients. */
export const HUB_ENDPOINT: readonly Requirement[] = [
  ...rules("hub-endpoint.md#routes", {
    "hub.any-backend": "Any fileset can be read, and one on a writable backend written, by unmodified hub clients.",
    "hub.address": "Addresses in answers follow X-Forwarded-Proto and X-Forwarded-Host of listed proxies only.",
    "hub.resolve-head": "HEAD on resolve/{rev}/{path} returns ETag, size and X-Repo-Commit.",
    "hub.resolve-get": "GET on resolve/{rev}/{path} returns bytes and ranges.",
    "hub.repository": "api/models|datasets/{ws}/{name} and /revision/{rev} describe the repository.",
    "hub.tree": "/tree/{rev}[/{path}] lists files, paged by Link, with `recursive` and `expand`.",
    "hub.paths-info": "/paths-info/{rev} describes the given paths.",
    "hub.tags": "Editors name commits with tags and delete them; a tag is a revision, and refs lists it.",
    "hub.squash": "super-squash forgets all former commits but those with a tag, and removes kept bytes.",
    "hub.preupload": "preupload returns how each file is to be sent.",
    "hub.lfs-batch": "LFS batch returns addresses for direct PUT and multipart uploads.",
    "hub.lfs-kept":
      "An object that Git LFS uploads is a file of the fileset below lfs/objects: listed, counted, and kept until it is deleted.",
    "hub.lfs-refused":
      "The batch API refuses unknown operations, and objects whose size is not that of their content. A content is found if no one has read its file.",
    "hub.lfs-sealed":
      "Once the completion of an LFS object has begun, no part changes its bytes: the verified bytes are stored.",
    "hub.lfs-any-server":
      "Servers that share a database accept the parts of one LFS object, and all of them have the object.",
    "hub.change-revisions": "The id of a change of the history is a revision, as long as the history has the change.",
    "hub.xet-token":
      "xet-write-token returns an address and a token for the chunks of one fileset. It needs the editor.",
    "hub.xet-upload":
      "A file that a client sends as chunks (Xet) is a file like every other, with its bytes and its SHA-256.",
    "hub.xet-verified":
      "Xorbs and shards are accepted only if every hash in them follows from the chunks, and a commit only if the SHA-256 does.",
    "hub.xet-apart": "Nobody can use or find chunks of another fileset.",
    "hub.xet-known": "A client of Xet sends only the chunks that no file of the fileset has any more.",
    "hub.xet-recent":
      "A client of Xet that asks for a chunk that is not known gets the chunks of the latest files, eight times for each token.",
    "hub.xet-read":
      "A file that came as chunks can be read as chunks, whole and in ranges. Clients read every other file as it is.",
    "hub.xet-read-on":
      "A client that reads a file as chunks goes on if the file is replaced or deleted, as long as the history keeps its bytes, and if the fileset gets another name.",
    "hub.xet-read-rights":
      "xet-read-token needs the viewer. An address of chunks is valid for an hour, and only for the chunks that it names.",
    "hub.xet-kept": "What the server has acknowledged of an upload in chunks outlives a kill of the server.",
    "hub.xet-collected":
      "A xorb that no commit uses expires after a day. One whose chunks a file has stays known as long as the file.",
    "hub.xet-once": "A xorb is removed when all its chunks are in files.",
    "hub.commit.renamed":
      "A commit changes the repository that it began for, and no other one that gets its name meanwhile.",
    "hub.commit": "An NDJSON commit is applied.",
    "hub.create-repo": "create_repo makes a fileset.",
    "hub.whoami": "whoami-v2 names the owner of the token.",
    "hub.list":
      "api/models|datasets|spaces list the filesets of a purpose that the token may see, by search, author, tag and order, paged by Link.",
    "hub.list.refused": "A list by a fact that no fileset records is refused by name.",
    "hub.auth-check":
      "auth-check returns 200 to whoever may read a repository, and auth-check/write to whoever may write it.",
    "hub.move": "repos/move renames a repository within its workspace.",
    "hub.settings": "Settings that a repository does not have already are refused by name.",
    "hub.workspace-first-use": "create_repo makes the workspace too if the token has the role admin in all workspaces.",
    "hub.token-prefix": "Each token is also valid with the prefix hf_.",
    "hub.refused": "Branches, tags, discussions and rewritten commits are refused by name.",
    "hub.lfs-login":
      "Git LFS logs in with a token as password and any user name. Routes for other clients take no passwords.",
    "hub.lfs-locks": "File locks are refused with 501, after which Git LFS does not ask for them again.",
    "hub.git-refused": "git clone and git push show a sentence that says what works instead.",
    "hub.repository-id": "Repository ids are `{ws}/{name}`.",
    "hub.etag": "ETag is the content's sha256.",
    "hub.commit-id": "X-Repo-Commit is 40 hex digits over the whole tree and changes exactly when any file changes.",
    "hub.history":
      "Each commit has its own id, time and title, also one that returns to the files of an earlier commit.",
    "hub.many-files":
      "A fileset can have 10,000,000 files: trees are paged from pieces in the database, with the same ids as if all files were in memory.",
    "hub.delete-many": "A commit that deletes folders of millions of files does not hold their paths in memory.",
    "hub.error-words": "Errors have the hub's X-Error-Code words.",
  }),
  ...rules("hub-endpoint.md#content", {
    "hub.lfs-entries": "Every file is presented as an LFS file, with the git-sha1 of its pointer as oid.",
    "hub.preupload-modes": "preupload returns `regular` up to 10 MiB of text, else `lfs`.",
    "hub.commit-whole-files": "A commit is applied file by file, each whole.",
    "hub.commit-undone":
      "A commit that returns an error changes nothing, on local storage and with at most 10,000 changed files. Otherwise the error names the files that have changed.",
    "hub.old-commits":
      "One of the last 100 commit ids serves every file that it had, and 404 EntryNotFound for other paths.",
    "hub.former-files":
      "A file of an old commit is read from kept bytes if it was replaced or deleted since. Commits name their authors.",
    "hub.gone": "A file of an old commit whose bytes are gone is a 410 that says when and why they went.",
    "hub.unknown-commit": "An unknown commit id is RevisionNotFound.",
  }),
  ...rules("hub-endpoint.md#dataset-viewer", {
    "hub.viewer-rows":
      "Rows of a split are those of its files, one after another, whole; first-rows ends after 100 rows or about 1 MB.",
    "hub.viewer-splits": "Splits follow the words in the paths of files; without any, all files are `train`.",
    "hub.viewer-search": "A search finds rows whose texts contain all words of the query, and counts all that match.",
    "hub.viewer-filter":
      "`where` and `orderby` are a closed grammar of comparisons; anything else is refused with its position.",
    "hub.viewer-statistics": "Statistics are those of all rows of a split.",
    "hub.viewer-parquet": "The Parquet files of a dataset are those that its fileset has itself.",
    "hub.viewer-access": "The dataset viewer needs the role viewer in the workspace of the dataset.",
  }),
  ...rules("hub-endpoint.md#errors", {
    "hub.error-headers": "Each error has X-Error-Message and x-request-id, as Hub clients read them.",
    "hub.code-beside-error": "Errors of the hub endpoint contain `code` beside `error`.",
  }),
]
