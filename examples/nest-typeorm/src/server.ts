import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { expressHandler } from "handrail/express";
import { db } from "./db";
import { HANDRAIL, HandrailModule } from "./handrail.module";
import { OrdersController } from "./orders.controller";

@Module({ imports: [HandrailModule], controllers: [OrdersController] })
class AppModule {}

await db.initialize();
const app = await NestFactory.create(AppModule);
// For other programs, with tokens made in the console.
app.use("/handrail", expressHandler(app.get(HANDRAIL)));
app.enableShutdownHooks();
await app.listen(Number(process.env.PORT ?? 3000));
