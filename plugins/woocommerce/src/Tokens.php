<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\FlorinException;
use Florin\Exception\NotFoundException;
use Florin\Result\SavedMethod;
use WC_Order;
use WC_Payment_Token;
use WC_Payment_Token_CC;
use WC_Payment_Token_ECheck;
use WC_Payment_Tokens;

/** Saved methods as WooCommerce's payment tokens: listed and deleted under My account, chosen at the checkout. */
final class Tokens
{
    private static bool $isEndedAtFlorin = false;

    /** Keeps what a payment saved, once, and remembers it on the order. */
    public static function keep(WC_Order $order, SavedMethod $method, string $mode): void
    {
        if ($order->get_customer_id() === 0 || !$method->usable) {
            return;
        }
        $token = self::find($method->id) ?? self::make($order->get_customer_id(), $method, $mode);
        $order->add_payment_token($token);
        Renewing::remember($order, $method->id);
    }

    private static function make(int $customerId, SavedMethod $method, string $mode): WC_Payment_Token
    {
        $expiry = Charge::expiry($method->expires);
        $isCard = $method->kind === 'card' && $expiry !== null && $method->last4 !== null;
        $token = $isCard ? new WC_Payment_Token_CC() : new WC_Payment_Token_ECheck();
        $token->set_token($method->id);
        $token->set_gateway_id(Gateway::ID);
        $token->set_user_id($customerId);
        $token->set_last4($method->last4 ?? '····');
        if ($token instanceof WC_Payment_Token_CC && $expiry !== null) {
            $token->set_card_type(strtolower($method->brand ?? 'card'));
            $token->set_expiry_month($expiry[0]);
            $token->set_expiry_year($expiry[1]);
        }
        $token->add_meta_data('florin_mode', $mode, true);
        $token->save();

        return $token;
    }

    public static function find(string $methodId): ?WC_Payment_Token
    {
        global $wpdb;
        $id = $wpdb->get_var($wpdb->prepare("select token_id from {$wpdb->prefix}woocommerce_payment_tokens where gateway_id = %s and token = %s", Gateway::ID, $methodId));

        return $id === null ? null : WC_Payment_Tokens::get((int) $id);
    }

    /** The saved method that this customer chose at the checkout; null: none, or none of theirs. */
    public static function chosen(): ?WC_Payment_Token
    {
        // phpcs:ignore WordPress.Security.NonceVerification -- WooCommerce has checked the checkout's nonce
        $id = absint(wp_unslash($_POST['wc-' . Gateway::ID . '-payment-token'] ?? 0));
        $token = $id === 0 ? null : WC_Payment_Tokens::get($id);
        $isTheirs = $token !== null && $token->get_gateway_id() === Gateway::ID && $token->get_user_id() === get_current_user_id() && self::mode($token) === Settings::mode();

        return $isTheirs ? $token : null;
    }

    public static function isSavingAsked(): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification -- WooCommerce has checked the checkout's nonce
        $ticked = sanitize_text_field(wp_unslash((string) ($_POST['wc-' . Gateway::ID . '-new-payment-method'] ?? '')));

        return !in_array($ticked, ['', '0', 'false'], true);
    }

    public static function mode(WC_Payment_Token $token): string
    {
        return (string) $token->get_meta('florin_mode');
    }

    /**
     * A customer sees the methods of the mode that the shop is in.
     *
     * @param array<int, WC_Payment_Token> $tokens
     * @return array<int, WC_Payment_Token>
     */
    public static function ofThisMode(array $tokens): array
    {
        return array_filter($tokens, static fn (WC_Payment_Token $token): bool => $token->get_gateway_id() !== Gateway::ID || self::mode($token) === Settings::mode());
    }

    /** The customer deleted it under My account: it ends at Florin and at the network, too. */
    public static function whenDeleted(WC_Payment_Token $token): void
    {
        if ($token->get_gateway_id() !== Gateway::ID || self::$isEndedAtFlorin) {
            return;
        }
        try {
            (new Http(self::mode($token)))->call('DELETE', '/api/saved-methods/' . rawurlencode($token->get_token()), mayRepeat: true);
        } catch (NotFoundException) {
            // Florin does not know it any more.
        } catch (FlorinException $error) {
            Settings::log("The saved method {$token->get_token()} could not be ended at Florin, end it there: {$error->getMessage()}");
        }
    }

    /** Florin says that it has ended, or refused to charge it. */
    public static function forget(string $methodId): void
    {
        $token = self::find($methodId);
        if ($token === null) {
            return;
        }
        self::$isEndedAtFlorin = true;
        try {
            WC_Payment_Tokens::delete($token->get_id());
        } finally {
            self::$isEndedAtFlorin = false;
        }
    }
}
