import { api } from "@/lib/api/http/router";

export const { GET, POST, PUT, PATCH, DELETE } = api;
