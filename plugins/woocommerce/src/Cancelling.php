<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConflictException;
use Florin\Exception\FlorinException;
use Florin\Exception\NotFoundException;
use FlorinWoo\Unexpected\DeletedOrders;
use WC_Order;

/** Closes the payment at Florin when the shop ends or settles its order, so that a tab that is still open takes no money. */
final class Cancelling
{
    private const RETRY_S = 300;
    private const TRIES = 12;
    /** Waiting for money. Every other status that customers can't pay in, a shop's own too, ends or settles an order. */
    private const WAITING = ['on-hold', 'checkout-draft', 'auto-draft', 'draft', 'new'];

    public static function whenChanged(mixed $order): void
    {
        if ($order instanceof WC_Order && self::isOver($order)) {
            self::close($order);
        }
    }

    /** Trashed. */
    public static function whenRemoved(mixed $order): void
    {
        if ($order instanceof WC_Order) {
            self::close($order);
        }
    }

    public static function whenDeleted(mixed $order): void
    {
        if ($order instanceof WC_Order) {
            DeletedOrders::remember(new OrderState($order));
            self::close($order);
        }
    }

    /** Retries after Florin did not answer. An order that can be paid again by now keeps its link. */
    public static function again(string $txRef, string $mode, int $tried): void
    {
        $orderId = TxRef::orderId(Settings::prefix(), $txRef);
        $order = $orderId === null ? null : wc_get_order($orderId);
        if (!$order instanceof WC_Order || self::isOver($order) || (new OrderState($order))->txRef() !== $txRef) {
            self::cancel($txRef, $mode, $tried);
        }
    }

    /** A failed order can be paid again, but only in the shop: it gets another payment there. */
    private static function isOver(WC_Order $order): bool
    {
        return !$order->has_status(self::WAITING) && ($order->has_status('failed') || !$order->needs_payment());
    }

    private static function close(WC_Order $order): void
    {
        $state = new OrderState($order);
        $txRef = $state->txRef();
        if (in_array($txRef, ['', $state->paidTxRef(), $state->closedTxRef()], true)) {
            return;
        }
        if (self::cancel($txRef, $state->mode())) {
            $state->keep(OrderState::CLOSED, $txRef);
            $order->save_meta_data();
        }
    }

    /** @return bool whether this call closed the payment */
    public static function cancel(string $txRef, string $mode, int $tried = 1): bool
    {
        try {
            (new Http($mode))->call('POST', '/api/transaction/' . rawurlencode($txRef) . '/cancel');

            return true;
        } catch (ConflictException | NotFoundException) {
            // The payment has ended, was never made, or is being paid at this moment: Florin reports money that arrives.
        } catch (FlorinException $error) {
            Settings::log("The payment $txRef is still open: {$error->getMessage()}");
            if ($tried < self::TRIES) {
                WC()->queue()->schedule_single(time() + self::RETRY_S * $tried, 'florin_payments_close', [$txRef, $mode, $tried + 1], 'florin-payments');
            }
        }

        return false;
    }
}
