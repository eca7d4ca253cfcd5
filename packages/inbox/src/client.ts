import { createClient } from "@holdpoint/client";

/** The one client of the page; the server that serves the page also answers it. */
export const client = createClient({ baseUrl: "" });
