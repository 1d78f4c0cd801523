<?php

declare(strict_types=1);

namespace FlorinWoo\Unexpected;

use FlorinWoo\Http;
use FlorinWoo\OrderState;
use FlorinWoo\Outcome;
use FlorinWoo\TxRef;
use FlorinWoo\Settings;

/** The newest deleted orders that Florin may still be paid for. */
final class DeletedOrders
{
    private const OPTION = 'florin_payments_deleted';
    private const KEPT_MAX = 500;

    public static function remember(OrderState $state): void
    {
        if ($state->txRef() === '') {
            return;
        }
        $about = ['mark' => $state->mark(), 'mode' => $state->mode(), 'number' => $state->order->get_order_number(), 'paid' => $state->paidTxRef()];
        update_option(self::OPTION, array_slice(self::all() + [$state->order->get_id() => $about], -self::KEPT_MAX, null, true), false);
    }

    /** Florin reported a payment for an order that is gone. */
    public static function report(string $txRef): void
    {
        $orderId = (int) TxRef::orderId(Settings::prefix(), $txRef);
        $about = self::all()[$orderId] ?? null;
        if ($about === null || $about['paid'] === $txRef) {
            return;
        }
        $payment = (new Http($about['mode']))->payment($txRef);
        if (in_array($payment->status, Outcome::PAID_STATUSES, true) && ($payment->data['meta']['order'] ?? $about['mark']) === $about['mark']) {
            Payments::add($payment, ['order' => $orderId, 'number' => $about['number'], 'why' => Payments::DELETED, 'status' => '', 'total' => '']);
        }
    }

    /** @return array<int, array{mark: string, mode: string, number: string, paid: string}> */
    private static function all(): array
    {
        $all = get_option(self::OPTION, []);

        return is_array($all) ? $all : [];
    }
}
