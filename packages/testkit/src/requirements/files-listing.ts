import { rules, type Requirement } from "./requirement.ts"

/** Pages of filesets and listings of files. */
export const FILES_LISTING: readonly Requirement[] = [
  ...rules("files.md#listing-filesets", {
    "brief.list.route": "GET /apis/files/v2/workspaces/{workspace}/filesets lists filesets as JSON.",
    "brief.list.defaults": "Without parameters: page 1, ten per page, -created_at.",
    "brief.list.empty-object-body": "A client may send an empty JSON object with the GET.",
    "brief.list.invalid":
      "A listing that fails validation is a 422 with `detail` items of loc, msg, type, input and ctx.",
    "filesets.list.page": "`page` counts from 1 and is 1 by default.",
    "filesets.list.page-size": "`page_size` is 1 to 100 and 10 by default.",
    "filesets.list.sort": "`sort` is created_at, -created_at, name or -name; a leading `-` means descending.",
    "filesets.list.default-sort": "The newest fileset comes first unless asked otherwise.",
    "filesets.list.stable-paging": "Pages never repeat or skip a record with equal sort values.",
    "filesets.list.pagination": "The answer has all five pagination integers.",
    "filesets.list.echo-sort": "The answer echoes the sort used.",
    "filesets.list.echo-filter": "The answer echoes the filter in canonical form when one was given, and only then.",
    "filesets.list.in-database": "Filtering, sorting and paging happen in the database, on indexes.",
  }),
  ...rules("files.md#listing-files", {
    "filesets.list.name-by-code-point": "`name` sorts by code point in both databases.",
    "filesets.list.ties-by-id": "Equal sort values are ordered by id, ascending, in both directions.",
    "filesets.list.empty": "An empty list has `total_pages` 0.",
    "filesets.list.page-past-end": "A page past the end is 200 with empty data.",
    "files.list.order": "Files are listed in code-point order of the path.",
    "files.list.path": "`path=a` lists the file `a` and everything below the folder `a/`, not `ab`.",
    "files.list.pages": "With `limit`, the answer has `next_page_token` for `page_token` until the last page.",
    "files.list.no-path": "An empty and an absent `path` list everything.",
    "files.list.trailing-slash": "A `path` with a trailing slash means only the folder.",
  }),
]
