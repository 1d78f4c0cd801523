<?php

declare(strict_types=1);

namespace FlorinWoo;

use Throwable;
use WC_Order;

/** The customer comes back from Florin, with or without having paid. */
final class Returning
{
    public static function receive(): never
    {
        // phpcs:ignore WordPress.Security.NonceVerification -- the order's own key proves whose it is
        $orderId = absint($_GET['order'] ?? 0);
        $key = sanitize_text_field(wp_unslash((string) ($_GET['key'] ?? '')));
        $txRef = sanitize_text_field(wp_unslash((string) ($_GET['tx_ref'] ?? '')));
        $order = wc_get_order($orderId);
        $isTheirs = $order instanceof WC_Order && $key !== '' && hash_equals($order->get_order_key(), $key);
        wp_safe_redirect($isTheirs ? self::placeAfter($order, $txRef) : wc_get_cart_url());
        exit;
    }

    private static function placeAfter(WC_Order $order, string $txRef): string
    {
        $ours = TxRef::orderId(Settings::prefix(), $txRef) === $order->get_id() ? $txRef : (new OrderState($order))->txRef();
        try {
            $payment = Sync::order($order->get_id(), $ours);
        } catch (Throwable $error) {
            // Florin's callback will finish the order.
            Settings::log("The return to order {$order->get_id()} could not ask Florin: {$error->getMessage()}");

            return $order->get_checkout_order_received_url();
        }
        $order = wc_get_order($order->get_id());
        if (in_array($payment->status, ['failed', 'cancelled', 'expired'], true) && $order instanceof WC_Order && $order->needs_payment()) {
            wc_add_notice(__('The order was not paid. You can try again or choose another way to pay.', 'florin-payments'), 'notice');

            return $order->get_checkout_payment_url();
        }

        return $order instanceof WC_Order ? $order->get_checkout_order_received_url() : wc_get_cart_url();
    }
}
