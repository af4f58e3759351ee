CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"cents" integer NOT NULL,
	"charge_id" text
);
