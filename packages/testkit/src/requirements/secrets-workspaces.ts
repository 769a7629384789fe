import { built, type Requirement } from "./requirement.ts"

/** Secrets, workspaces and projects. */
export const SECRETS_WORKSPACES: readonly Requirement[] = [
  ...built("files §1", {
    "secrets.create.route": "POST on secrets answers 201 with name, workspace, description and times.",
    "secrets.list.route": "GET on secrets answers a page by `page` and `page_size`.",
    "secrets.get.route": "GET on one secret answers its record.",
    "secrets.update.route": "PATCH on a secret changes description, value or both, and answers 200.",
    "secrets.delete.status-204": "DELETE on a secret answers 204.",
    "secrets.in-use": "A secret that anything names is deleted by force alone; the answer tells what names it.",
    "secrets.value-never-returned": "No route ever answers with a secret's value.",
    "secrets.encrypted-at-rest":
      "A value is stored encrypted, with a data key per secret wrapped by a named key-encryption key.",
    "secrets.encryption-key-given": "The operator can give the key-encryption keys.",
    "secrets.encryption-key-made":
      "Without given keys one is made on first start, in a file that only its owner can read.",
    "secrets.rotate.route": "POST on rotate-encryption-keys answers 202 with `{rotated_secrets, success}`.",
    "secrets.rotate.all-or-nothing": "Rotation fails and changes nothing where a secret can't be unwrapped.",
    "secrets.lost-keys":
      "A server does not start while no key unwraps its secrets; it names the key and how many need it.",
    "secrets.rotate.rewraps": "Rotation wraps the data key of every secret with the newest key; values stay readable.",
    "secrets.empty-value-refused": "An empty value is refused with 422.",
    "workspaces.create.route": "POST on workspaces answers 201 with the workspace.",
    "workspaces.list.route": "GET on workspaces answers a page of them.",
    "workspaces.list.page-size": "A page of workspaces holds 100 by default and 1000 at the most.",
    "workspaces.list.filters": "Workspaces are filtered, searched and sorted as other listings are.",
    "workspaces.get.route": "GET on one workspace answers it.",
    "workspaces.update.route": "PUT on a workspace replaces its description.",
    "workspaces.delete.in-use": "DELETE on a workspace that holds filesets, models, jobs or secrets answers 409.",
    "workspaces.delete.configurations": "Projects and configurations alone do not hold a workspace; they go with it.",
    "platform-v1.namespaces": "/v1/namespaces lists, makes, changes and deletes workspaces in the platform's shapes.",
    "platform-v1.data-store": "/v1/datastore/namespaces takes JSON and forms, and answers with workspaces.",
    "platform-v1.datasets": "/v1/datasets are filesets, at this server or with the storage of another hub.",
    "platform-v1.hub": "/v1/hf is the hub endpoint.",
    "workspaces.delete.cascade": "DELETE with `cascade=true` removes the workspace with what it holds.",
    "workspaces.name":
      "A workspace's name is 2 to 63 of `a-z0-9-@.+_`, a letter first, without `--`, without `-` at the end.",
    "workspaces.built-in.exist": "The workspaces `default` and `system` exist from the start.",
    "workspaces.built-in.stay": "DELETE on `default` or `system` answers 409.",
    "projects.create.route": "POST on projects answers 201 with the project.",
    "projects.list.route": "GET on projects answers a page of them.",
    "projects.get.route": "GET on one project answers it.",
    "projects.update.route": "PUT on a project replaces its description.",
    "projects.shape": "A project has id, name, workspace, description, created_at and updated_at.",
  }),
  ...built("details: Statuses", {
    "workspaces.delete.answers-record": "DELETE on a workspace answers 200 with the deleted record.",
    "projects.delete.answers-record": "DELETE on a project answers 200 with the deleted record.",
  }),
  ...built("brief: Storage configurations", {
    "secret-ref.forms": "A secret reference is `name` (workspace of the request) or `workspace/name`.",
  }),
  ...built("files §2", {
    "secret-ref.resolved-late": "A reference is resolved when bytes are touched.",
    "secret-ref.rights": "A reference is resolved only if the caller may use secrets in the workspace that it names.",
  }),
]
