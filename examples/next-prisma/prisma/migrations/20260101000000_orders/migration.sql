CREATE TABLE "Order" (
    "id" TEXT NOT NULL,
    "cents" INTEGER NOT NULL,
    "chargeId" TEXT,

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);
