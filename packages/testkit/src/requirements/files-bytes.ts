import { rules, type Requirement } from "./requirement.ts"

/** Paths of files, and bytes on their way in and out. */
export const FILES_BYTES: readonly Requirement[] = [
  ...rules("files.md#uploads", {
    "files.path.slashes": "Slashes of a path arrive literal or as %2F.",
    "files.path.unicode": "A path may hold any Unicode.",
    "files.path.length": "A path has at most 1024 bytes of UTF-8.",
    "files.path.segment-length": "A segment has at most 255 bytes.",
    "files.path.empty-segments": "Empty segments are refused with 400.",
    "files.path.dot-segments": "`.` and `..` are refused with 400.",
    "files.path.leading-slash": "A leading slash is refused with 400.",
    "files.path.control-characters": "Control characters (C0, DEL, C1) are refused with 400.",
    "files.path.backslash": "A backslash is refused with 400.",
    "files.path.symbolic-links": "A symbolic link never leads out of the root.",
    "files.path.bidirectional-controls":
      "The controls of bidirectional text (U+202A–U+202E, U+2066–U+2069) are refused with 400.",
    "files.open.regular-only": "A pipe, socket or device is never opened as a file, and nothing waits for one.",
    "files.upload.bounded-memory": "An upload of any size uses flat memory.",
    "files.upload.write-buffer": "Bytes reach the disk in pieces of `write_buffer_size`, at most 1 MiB.",
    "files.upload.whole": "A reader sees the old file or the new one, whole, also after a crash.",
    "files.upload.durable":
      "An answered upload was written beside its place, fsynced and renamed, and its folder fsynced.",
    "files.upload.error-no-effect":
      "A write or a delete that returns an error has changed nothing, whichever call on the disk or of the database failed.",
    "files.upload.etag": "An upload returns a strong ETag that comes from the content.",
    "files.upload.sha256": "An upload returns the SHA-256 of the bytes.",
    "files.upload.create-only": "`If-None-Match: *` on an existing file is a 412.",
    "files.upload.if-match": "`If-Match` with another version's ETag is a 412.",
    "files.upload.checksum-mismatch": "A digest that does not match the bytes is a 400, and nothing changed.",
    "files.upload.idle-timeout": "An upload silent for 10 s is a 408 that names the path.",
    "files.upload.idle-no-trace": "An upload that went silent leaves no trace.",
    "files.upload.disk-full": "A full disk is a 507 and leaves no trace.",
    "files.upload.whole-body":
      "A body with a `Content-Encoding` or a `Content-Range` is refused, because its bytes are not the whole file.",
    "files.upload.empty-file": "An empty file is a file.",
    "tus.creation": "POST on uploads creates a resumable upload (tus 1.0 creation).",
    "tus.offset": "HEAD returns the offset; PATCH continues from there and refuses another offset.",
    "tus.metadata-at-head": "HEAD returns Upload-Metadata as the client sent it.",
    "tus.other-extensions":
      "An upload that needs an extension which is not supported, such as concatenation, is refused.",
    "tus.checksum": "A piece with a wrong checksum is dropped with 460 (tus checksum).",
    "tus.digest": "PUT on the digest of an upload sets the required SHA-256 of its file until the last byte, once.",
    "tus.one-request":
      "One request can send all bytes of an upload. Its offset grows meanwhile, and a file that one request sent is not copied.",
    "tus.expiration": "An unfinished upload expires at a time that the answer names (tus expiration).",
    "tus.disk-full": "A resumable upload that finds no room for its record is a 507 and leaves nothing.",
    "tus.sweep": "Bytes that a crash left without a record are swept.",
    "tus.fileset": "An upload ends in the fileset for which it began, also after a rename.",
    "tus.any-server":
      "Servers that share a database continue each other's uploads, and one connection at a time sends bytes of an upload.",
    "tus.lost-server":
      "An upload of a server that was lost continues on another one. Bytes of two connections are never mixed.",
    "tus.finish": "The last piece makes the file appear, whole, with its digest.",
    "files.upload.checksum-header": "`x-checksum-sha256` is hex or base64.",
    "files.upload.content-digest": "`Content-Digest` is read as in RFC 9530.",
    "files.path.conflict": "A file in the place of a folder, or a folder in the place of a file, is a 409.",
    "files.upload.temporary-hidden": "Temporary files are never listed or served.",
    "files.upload.temporary-swept": "Temporary files of a killed process are swept at the next start.",
    "files.upload.malformed-digest": "A malformed `Content-Digest` is a 400.",
    "files.upload.malformed-multipart": "Unreadable multipart is a 400.",
    "files.path.folder": "GET of a folder's path leads to its page, and DELETE is a 404.",
    "tus.metadata": "tus metadata has `path` (base64), and optionally `sha256`.",
    "files.upload.read-only": "A write to `catalog` or `hub` storage is a 405 that says the backend is read-only.",
    "files.upload.unconditional-backend":
      "If-Match or If-None-Match on a backend without conditional writes is a 501 that says so.",
  }),
  ...rules("files.md#trash", {
    "trash.list":
      "A deleted fileset is in the trash: who deleted it, when, how long it is kept, and the bytes that it holds.",
    "trash.restore":
      "A fileset is restored once, with its id, its files and their digests, its history and its commits. It then has a new folder.",
    "trash.name-is-free":
      "A new fileset may take the name of one in the trash at once, and sees none of its files. The old one is restored under another name, or 409.",
    "trash.permanent": "A fileset is deleted at once if the request says so, or if the operator keeps no trash.",
    "trash.remove": "A fileset in the trash is deleted for good on request, alone or with all others of its workspace.",
    "trash.sweep":
      "When its time is over, a fileset in the trash can't be restored, and its files and their records are deleted.",
    "trash.workspace": "The trash of a workspace does not prevent its deletion, and goes with it.",
    "trash.others-storage":
      "Of a fileset on storage of others only the record is kept. It is not restored if another workspace has taken its folder.",
    "trash.full-disk": "The filesets that were deleted first are given up before a write fails on a full disk.",
    "trash.crash":
      "An error of a deletion or of a restoration means that nothing has changed, and a crash in between loses no file.",
    "trash.rights":
      "Who may delete filesets of a workspace may restore them and delete them for good; who may read them sees the trash.",
    "trash.jobs":
      "A deleted evaluation job is in the trash with the fileset of its results. No read finds it, its id stays taken, and a restoration brings back its rows, events and results.",
    "trash.jobs-keys":
      "The secrets of the inline keys of a job are deleted with it and never restored. A restored job that would need them says so.",
  }),
  ...rules("files.md#history", {
    "files.history":
      "Replaced and deleted files are kept within limits, whichever interface changed them, and survive a kill of the server.",
    "files.history-full-disk": "Kept bytes are given up before a write fails on a full disk.",
    "files.history-restore-undone":
      "A restoration that returns an error changes nothing, on local storage and with at most 10,000 changed files. Otherwise the error names the files that have changed.",
    "files.history-restore":
      "A restoration brings back a revision or one path, or names the files whose bytes are gone and changes nothing.",
    "files.history-rows":
      "Rows of a file in two revisions are compared by a key, cell by cell, or as wholes, in bounded memory, also if the file was replaced or deleted since.",
    "files.history-purge": "A fileset that is deleted for good and a purge remove kept bytes at once.",
    "files.history-check":
      "The deep check reports kept bytes that are missing or damaged, and a backup leaves them out and says so.",
  }),
  ...rules("files.md#downloads", {
    "files.download.headers": "A download has Accept-Ranges, Content-Length, a strong ETag and Last-Modified.",
    "files.download.content-type":
      "A download has the type of its name, or application/octet-stream, with `X-Content-Type-Options: nosniff`.",
    "files.download.if-none-match": "`If-None-Match` with the current ETag is a 304.",
    "files.download.if-range": "`If-Range` with another version returns the whole file.",
    "files.download.range": "A range `a-b`, `a-` or `-n` is a 206 with Content-Range.",
    "files.download.range-end-clamped": "An end past the file is clamped.",
    "files.download.range-past-end":
      "A start past the file is a 416 with `Content-Range: bytes */size` and `Invalid range: …`.",
    "files.download.range-inverted": "An inverted range is a 416.",
    "files.download.range-unreadable": "A malformed `Range: bytes…` is a 416.",
    "files.download.pieces": "Files are read in pieces of `read_chunk_size`, with back-pressure.",
    "files.download.broken-off":
      "A failure after the first byte ends the connection, so that a short body is never taken for a whole one.",
    "storage.default.local": "The default storage is `local`, under the data folder.",
    "files.download.damage":
      "A whole read whose bytes differ from the digest of the written bytes is a 502 `content_damaged` or ends the connection, and the old digest is not served again.",
    "storage.local.root-workspaces": "A root that names workspaces is for these only.",
    "storage.local.apart":
      "A fileset's folder is not inside the folder of another workspace's fileset and does not contain one.",
    "storage.local.roots": "Nobody may name a `local` path of their own unless the operator lists allowed roots.",
    "files.download.several-ranges": "Several ranges are ignored: 200.",
    "files.download.other-unit": "A range in another unit than bytes is ignored: 200.",
    "files.download.empty-suffix": "`-0` is a 416.",
    "files.download.range-of-empty-file": "Any range of an empty file is a 416.",
  }),
]
