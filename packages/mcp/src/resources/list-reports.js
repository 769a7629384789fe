/** Older reports are read by their address, which the tool list_jobs gives the parts of. */
const MAX_REPORTS = 20;
/** Returns the address of the report of a job. */
export function reportAddress(workspace, id) {
    return `assay://workspaces/${workspace}/jobs/${id}/report`;
}
/** Lists the reports of the newest jobs that the caller may see. */
export async function listReports({ client, signal, }) {
    const { data } = await client.evaluation.jobs.page({ page_size: MAX_REPORTS, sort: "-created_at" }, { signal });
    return data.map(({ id, namespace, config, status, created_at }) => ({
        uri: reportAddress(encodeURIComponent(namespace), encodeURIComponent(id)),
        name: config.name ?? id,
        description: `Job ${id} of ${created_at}: ${status}`,
    }));
}
