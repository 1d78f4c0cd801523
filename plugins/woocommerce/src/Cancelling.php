<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConflictException;
use Florin\Exception\FlorinException;
use Florin\Exception\NotFoundException;
use WC_Order;

/** An order that is cancelled in the shop or paid another way can no longer be paid at Florin, in a tab that is still open. */
final class Cancelling
{
    public static function whenCancelled(int $orderId): void
    {
        self::close(wc_get_order($orderId));
    }

    public static function whenPaid(int $orderId): void
    {
        $order = wc_get_order($orderId);
        if ($order instanceof WC_Order && $order->get_payment_method() !== Gateway::ID) {
            self::close($order);
        }
    }

    private static function close(mixed $order): void
    {
        $state = $order instanceof WC_Order ? new OrderState($order) : null;
        if ($state !== null && $state->txRef() !== '' && $state->paidTxRef() === '') {
            self::cancel($state->txRef(), $state->mode());
        }
    }

    public static function cancel(string $txRef, string $mode): void
    {
        try {
            (new Http($mode))->call('POST', '/api/transaction/' . rawurlencode($txRef) . '/cancel');
        } catch (ConflictException | NotFoundException) {
            // The payment has ended, was never made, or is being paid: money that arrives completes the order.
        } catch (FlorinException $error) {
            Settings::log("The payment $txRef is still open: {$error->getMessage()}");
        }
    }
}
