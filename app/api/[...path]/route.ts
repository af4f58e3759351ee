import { api } from "@/lib/api/router";

export const { GET, POST, PUT, PATCH, DELETE } = api;
