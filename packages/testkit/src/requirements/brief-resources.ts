import { built, type Requirement } from "./requirement.ts"

/** Filesets, their metadata, pages and filters, as the users described them. */
export const BRIEF_RESOURCES: readonly Requirement[] = [
  ...built("brief: What the service does", {
    "brief.filesets-in-workspaces": "Filesets live inside workspaces; one name can be used in each.",
    "brief.list.one-workspace": "A listing answers the filesets of one workspace.",
  }),
  ...built("brief: Fileset", {
    "brief.fileset.fields":
      "A fileset has id, name, workspace, description, purpose, storage, metadata, custom_fields, project and both times.",
    "brief.fileset.purpose": "A purpose is dataset, generic or model.",
    "brief.fileset.custom-fields": "Custom fields are a free-form map with values of any type.",
  }),
  ...built("brief: Metadata", {
    "brief.metadata.keys": "Metadata has the optional keys `dataset` and `model`, and no others.",
    "brief.metadata.schema": "`dataset.schema` is an inline JSON Schema or a key of schema_defs.",
    "brief.metadata.schema-defs": "`dataset.schema_defs` maps names to JSON Schemas.",
    "brief.metadata.schemas-by-path":
      "`dataset.schemas_by_path` maps file paths to a JSON Schema or a key of schema_defs.",
    "brief.metadata.tool-calling":
      "`model.tool_calling` takes chat_template, tool_call_parser, tool_call_plugin and auto_tool_choice.",
    "brief.metadata.tool-call-plugin": "`tool_call_plugin` is `<workspace>/<fileset_name>`.",
  }),
  ...built("brief: Metadata", {
    "brief.metadata.merged":
      "Tool-calling settings are merged into the model specification during checkpoint analysis.",
  }),
  ...built("brief: Metadata", {
    "brief.metadata.row-schema":
      "Rows of a dataset's files are held against the schema of their path, or the default one.",
  }),
  ...built("brief: Page of filesets", {
    "brief.page.fields": "A page has `data`, and may have pagination, sort and filter.",
    "brief.page.pagination":
      "Pagination has page, page_size, current_page_size, total_pages and total_results, all integers.",
  }),
  ...built("brief: Filter object", {
    "brief.filter.name": "Filesets can be filtered by name.",
    "brief.filter.description": "Filesets can be filtered by description.",
    "brief.filter.purpose": "Filesets can be filtered by purpose.",
    "brief.filter.storage-type": "Filesets can be filtered by storage type.",
    "brief.filter.created-at": "Filesets can be filtered by a range of creation times.",
    "brief.filter.updated-at": "Filesets can be filtered by a range of update times.",
    "brief.filter.range-inclusive": "`$gte` is on or after, `$lte` on or before.",
  }),
  ...built("brief: List filesets", {
    "brief.list.route": "GET /apis/files/v2/workspaces/{workspace}/filesets lists filesets as JSON.",
    "brief.list.defaults": "Without parameters: page 1, ten per page, -created_at.",
    "brief.list.empty-object-body": "A client may send an empty JSON object with the GET.",
    "brief.list.invalid":
      "A listing that fails validation is a 422 with `detail` items of loc, msg, type, input and ctx.",
  }),
  ...built("brief: Versioning", {
    "brief.versioning.files": "The files interface carries `v2` in its path.",
    "brief.versioning.description": "The description of the files interface is at version 1.0.0.",
  }),
  ...built("brief: Versioning", {
    "brief.versioning.evaluation": "The evaluation interface carries `v1` in its path.",
  }),
]
