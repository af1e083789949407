// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "../tokens/IERC20.sol";
import {IWrappedEther} from "../tokens/IWrappedEther.sol";
import {IPair} from "./IPair.sol";
import {PairFactory} from "./PairFactory.sol";

/// @title The router
/// @notice The door to the pools: adds and removes liquidity, and swaps along a path of tokens. Holds nothing itself.
contract Router {
    /// @notice The transaction came too late.
    error Expired(uint256 deadline);

    /// @notice No pool for these two tokens.
    error NoPair(address tokenA, address tokenB);

    /// @notice The swap would pay `amount`, less than the `least` accepted.
    error TooLittleReceived(uint256 amount, uint256 least);

    /// @notice A path has at least two tokens, and begins or ends with wrapped Ether where Ether is paid.
    error InvalidPath();

    /// @notice Ether could not be sent to `account`.
    error PaymentRefused(address account);

    PairFactory public immutable factory;
    IWrappedEther public immutable wrapped;

    modifier before(uint256 deadline) {
        if (block.timestamp > deadline) revert Expired(deadline);
        _;
    }

    constructor(PairFactory factory_, IWrappedEther wrapped_) {
        factory = factory_;
        wrapped = wrapped_;
    }

    /// @dev Only unwrapping pays the router.
    receive() external payable {
        if (msg.sender != address(wrapped)) revert PaymentRefused(address(this));
    }

    /// @notice Adds both tokens to their pool, making it if need be. The amounts should have the pool's ratio: what is
    /// out of proportion becomes a gift to the pool.
    function addLiquidity(
        address tokenA,
        address tokenB,
        uint256 amountA,
        uint256 amountB,
        address to,
        uint256 deadline
    ) external before(deadline) returns (uint256 shares) {
        address pair = _pairOrNew(tokenA, tokenB);
        IERC20(tokenA).transferFrom(msg.sender, pair, amountA);
        IERC20(tokenB).transferFrom(msg.sender, pair, amountB);
        return IPair(pair).mint(to);
    }

    /// @notice Adds a token and the Ether sent along to their pool, making it if need be.
    function addLiquidityEther(address token, uint256 amount, address to, uint256 deadline)
        external
        payable
        before(deadline)
        returns (uint256 shares)
    {
        address pair = _pairOrNew(token, address(wrapped));
        IERC20(token).transferFrom(msg.sender, pair, amount);
        wrapped.deposit{value: msg.value}();
        wrapped.transfer(pair, msg.value);
        return IPair(pair).mint(to);
    }

    /// @notice Gives shares back for both tokens.
    function removeLiquidity(address tokenA, address tokenB, uint256 shares, address to, uint256 deadline)
        external
        before(deadline)
        returns (uint256 amount0, uint256 amount1)
    {
        address pair = _pair(tokenA, tokenB);
        IPair(pair).transferFrom(msg.sender, pair, shares);
        return IPair(pair).burn(to);
    }

    /// @notice Swaps exactly `amountIn` of the first token for at least `least` of the last.
    function swapTokens(uint256 amountIn, uint256 least, address[] calldata path, address to, uint256 deadline)
        external
        before(deadline)
        returns (uint256 amountOut)
    {
        amountOut = quote(amountIn, path);
        if (amountOut < least) revert TooLittleReceived(amountOut, least);
        IERC20(path[0]).transferFrom(msg.sender, _pair(path[0], path[1]), amountIn);
        _swap(amountIn, path, to);
    }

    /// @notice Swaps the Ether sent along for at least `least` of the last token.
    function swapEtherForTokens(uint256 least, address[] calldata path, address to, uint256 deadline)
        external
        payable
        before(deadline)
        returns (uint256 amountOut)
    {
        if (path[0] != address(wrapped)) revert InvalidPath();
        amountOut = quote(msg.value, path);
        if (amountOut < least) revert TooLittleReceived(amountOut, least);
        wrapped.deposit{value: msg.value}();
        wrapped.transfer(_pair(path[0], path[1]), msg.value);
        _swap(msg.value, path, to);
    }

    /// @notice Swaps exactly `amountIn` of the first token for at least `least` Ether.
    function swapTokensForEther(uint256 amountIn, uint256 least, address[] calldata path, address to, uint256 deadline)
        external
        before(deadline)
        returns (uint256 amountOut)
    {
        if (path[path.length - 1] != address(wrapped)) revert InvalidPath();
        amountOut = quote(amountIn, path);
        if (amountOut < least) revert TooLittleReceived(amountOut, least);
        IERC20(path[0]).transferFrom(msg.sender, _pair(path[0], path[1]), amountIn);
        _swap(amountIn, path, address(this));
        wrapped.withdraw(amountOut);
        (bool sent,) = to.call{value: amountOut}("");
        if (!sent) revert PaymentRefused(to);
    }

    /// @notice What `amountIn` of the first token of a path buys of the last one, now.
    function quote(uint256 amountIn, address[] calldata path) public view returns (uint256 amountOut) {
        if (path.length < 2) revert InvalidPath();
        amountOut = amountIn;
        for (uint256 i = 1; i < path.length; i++) {
            amountOut = _quoteHop(_pair(path[i - 1], path[i]), amountOut, path[i - 1] < path[i]);
        }
    }

    /// @dev Each pool pays straight into the next one; the last pays `to`.
    function _swap(uint256 amountIn, address[] calldata path, address to) private {
        for (uint256 i = 1; i < path.length; i++) {
            address pair = _pair(path[i - 1], path[i]);
            bool ascending = path[i - 1] < path[i];
            uint256 amountOut = _quoteHop(pair, amountIn, ascending);
            address next = i + 1 < path.length ? _pair(path[i], path[i + 1]) : to;
            IPair(pair).swap(ascending ? 0 : amountOut, ascending ? amountOut : 0, next);
            amountIn = amountOut;
        }
    }

    function _pairOrNew(address tokenA, address tokenB) private returns (address pair) {
        pair = factory.getPair(tokenA, tokenB);
        if (pair == address(0)) pair = factory.createPair(tokenA, tokenB);
    }

    function _pair(address tokenA, address tokenB) private view returns (address pair) {
        pair = factory.getPair(tokenA, tokenB);
        if (pair == address(0)) revert NoPair(tokenA, tokenB);
    }

    /// @dev The product of the reserves stays, after a fee of 0.3 % on what comes in.
    function _quoteHop(address pair, uint256 amountIn, bool ascending) private view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = IPair(pair).reserves();
        if (!ascending) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 afterFee = amountIn * 997;
        return afterFee * reserveOut / (reserveIn * 1000 + afterFee);
    }
}
